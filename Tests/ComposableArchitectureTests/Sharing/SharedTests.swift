import CombineCore
import Dispatch
import Foundation
import Locking
import Observation
import Testing

@testable import ComposableArchitecture
@testable import StateCapture

@Suite struct SharedTests {
    private struct Settings: Equatable, Codable {
        var name = "a"
        var isOn = false
        var note: String?
    }

    /// Runs a closure with a storage of its own.
    private func isolated<Result>(_ body: () throws -> Result) rethrows -> Result {
        try withDependencies {
            $0.defaultInMemoryStorage = InMemoryStorage()
            $0.defaultFileStorage = .inMemory
            $0.defaultAppStorage = .inMemory
        } operation: {
            try body()
        }
    }

    @Test func `properties with one reference see each other's changes`() {
        struct State: Equatable {
            @Shared var count: Int
        }
        let first = State(count: Shared(value: 1))
        let second = State(count: first.$count)
        second.$count.withLock { $0 += 1 }
        #expect(first.count == 2)
        #expect(first == second)
        #expect(State(count: Shared(value: 1)) != first)
    }

    // In a function of its own: the compiler confuses the closure of the default value with those of `#expect`.
    private func number(_ value: Int, _ key: String) -> Shared<Int> {
        Shared(wrappedValue: value, .inMemory(key))
    }

    @Test func `properties with one key see each other's changes`() {
        isolated {
            let (first, second) = (number(1, "count"), number(9, "count"))
            let other = number(5, "other")
            #expect(second.wrappedValue == 1)
            second.withLock { $0 = 2 }
            #expect(first.wrappedValue == 2)
            #expect(other.wrappedValue == 5)
        }
        isolated {
            #expect(number(7, "count").wrappedValue == 7)
        }
    }

    @Test func `a key without a value is nil`() {
        isolated {
            @Shared(.inMemory("name")) var name: String?
            #expect(name == nil)
            $name.withLock { $0 = "a" }
            @Shared(.inMemory("name")) var again: String?
            #expect(again == "a")
        }
    }

    @Test func `two types under one key are not shared, and reported`() {
        isolated {
            @Shared(.inMemory("count")) var number = 1
            let found = issues {
                @Shared(.inMemory("count")) var text = "a"
                $text.withLock { $0 = "b" }
                #expect(text == "b")
            }
            #expect(found.count == 1)
            #expect(number == 1)
        }
    }

    @Test func `a member is shared with the whole`() throws {
        let settings = Shared(value: Settings())
        let name = settings.name
        name.withLock { $0 = "b" }
        #expect(settings.wrappedValue.name == "b")
        settings.withLock { $0.name = "c" }
        #expect(name.wrappedValue == "c")
        #expect(Shared(settings.note) == nil)
        settings.withLock { $0.note = "n" }
        let note = try #require(Shared(settings.note))
        note.withLock { $0 += "!" }
        #expect(settings.wrappedValue.note == "n!")
        settings.withLock { $0.note = nil }
        #expect(note.wrappedValue == "n!")
        note.withLock { $0 = "lost" }
        #expect(settings.wrappedValue.note == nil)
        let reader = SharedReader(settings)
        #expect(reader.isOn.wrappedValue == false)
        settings.withLock { $0.isOn = true }
        #expect(reader.isOn.wrappedValue)
    }

    @Test func `changes of many threads are not lost`() async {
        let count = Shared(value: 0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<100 { count.withLock { $0 += 1 } } } }
        }
        #expect(count.wrappedValue == 800)
    }

    @Test func `a closure that changes a value can read it`() {
        let settings = Shared(value: Settings())
        settings.withLock { $0.name = settings.wrappedValue.name + "b" }
        #expect(settings.wrappedValue.name == "ab")
        settings.name.withLock {
            $0 = "c"
            // It reads the former value.
            #expect(settings.wrappedValue.name == "ab")
        }
        #expect(settings.wrappedValue.name == "c")
    }

    @Test func `other threads read the former value while a closure changes it`() async {
        let count = Shared(value: 1)
        let (begun, reachesClosure) = AsyncStream.makeStream(of: Void.self)
        let hasRead = DispatchSemaphore(value: 0)
        let queue = DispatchQueue(label: "change")
        queue.async {
            count.withLock {
                $0 = 2
                reachesClosure.yield()
                hasRead.wait()
            }
        }
        for await _ in begun { break }
        #expect(count.wrappedValue == 1)
        hasRead.signal()
        queue.sync {}
        #expect(count.wrappedValue == 2)
    }

    @Test func `a change inside of a change of the same value is reported and lost`() {
        let count = Shared(value: 1)
        let found = issues {
            count.withLock {
                count.withLock { $0 = 7 }
                #expect(count.wrappedValue == 7)
                $0 += 1
            }
        }
        #expect(found.count == 1)
        #expect(count.wrappedValue == 2)
    }

    @Test func `a subscriber can change the value`() {
        let count = Shared(value: 0)
        var seen: [Int] = []
        let token = count.publisher.sink { value in
            seen.append(value)
            if value == 1 { count.withLock { $0 = 2 } }
        }
        count.withLock { $0 = 1 }
        #expect(seen == [0, 1, 2])
        #expect(count.wrappedValue == 2)
        withExtendedLifetime(token) {}
    }

    /// A key whose values are kept by a closure.
    private struct SavedKey: SharedKey {
        let save: @Sendable (Int) -> Void
        var name: String { "saved" }

        func access(in storage: InMemoryStorage) -> SharedAccess<Int>? { SharedAccess(load: { nil }, save: save) }

        static func == (first: Self, second: Self) -> Bool { first.name == second.name }

        func hash(into hasher: inout Hasher) {
            hasher.combine(name)
        }
    }

    @Test func `a change while another one is saved is saved last, by one call at a time`() {
        let property = LockIsolated<Shared<Int>?>(nil)
        let saved = LockIsolated<[Int]>([])
        let active = LockIsolated(0)
        let key = SavedKey { value in
            active.withValue { $0 += 1 }
            #expect(active.value == 1)
            // Another thread changes the value and goes on, before this call has written the first one.
            if value == 1 { DispatchQueue(label: "other").sync { property.value?.withLock { $0 = 2 } } }
            // So does the thread that saves.
            if value == 2 { property.value?.withLock { $0 = 3 } }
            saved.withValue { $0.append(value) }
            active.withValue { $0 -= 1 }
        }
        isolated {
            let number = Shared(wrappedValue: 0, key)
            property.setValue(number)
            number.withLock { $0 = 1 }
            #expect(saved.value == [1, 2, 3])
            number.withLock { $0 = 4 }
            #expect(saved.value == [1, 2, 3, 4])
        }
        property.setValue(nil)
    }

    @Test func `a closure that throws changes nothing`() {
        struct Failure: Error {}
        let count = Shared(value: 0)
        #expect(throws: Failure.self) {
            try count.withLock {
                $0 = 1
                throw Failure()
            }
        }
        #expect(count.wrappedValue == 0)
    }

    @Test func `observers see changes`() {
        let settings = Shared(value: Settings())
        let hasChanged = LockIsolated(false)
        withObservationTracking {
            _ = settings.wrappedValue
        } onChange: {
            hasChanged.setValue(true)
        }
        var seen: [String] = []
        let token = settings.name.publisher.sink { seen.append($0) }
        settings.withLock { $0.name = "b" }
        #expect(hasChanged.value)
        #expect(seen == ["a", "b"])
        token.cancel()
        settings.withLock { $0.name = "c" }
        #expect(seen == ["a", "b"])
    }

    private static let url = URL(filePath: "/folder/settings.json")

    @Test func `a file is read once and written with each change`() throws {
        let files = LockIsolated<[URL: Data]>([Self.url: Data(#"{"name":"file","isOn":true}"#.utf8)])
        try withDependencies {
            $0.defaultInMemoryStorage = InMemoryStorage()
            $0.defaultFileStorage = .inMemory(fileSystem: files)
        } operation: {
            @Shared(.fileStorage(Self.url)) var settings = Settings()
            #expect(settings == Settings(name: "file", isOn: true))
            $settings.withLock { $0.name = "new" }
            let written = try #require(files.value[Self.url])
            #expect(try JSONDecoder().decode(Settings.self, from: written).name == "new")
        }
    }

    @Test func `a file with another content is reported and not used`() {
        let files = LockIsolated<[URL: Data]>([Self.url: Data("7".utf8)])
        withDependencies {
            $0.defaultInMemoryStorage = InMemoryStorage()
            $0.defaultFileStorage = .inMemory(fileSystem: files)
        } operation: {
            let found = issues {
                @Shared(.fileStorage(Self.url)) var settings = Settings()
                #expect(settings == Settings())
            }
            #expect(found.count == 1)
        }
    }

    @Test func `files of the machine hold the last value`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "shared-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "settings.json")
        try withDependencies {
            $0.defaultInMemoryStorage = InMemoryStorage()
            $0.defaultFileStorage = .fileSystem
        } operation: {
            @Shared(.fileStorage(url)) var settings = Settings()
            for number in 0..<20 { $settings.withLock { $0.name = "\(number)" } }
            FileStorage.flush()
            FileStorage.flush()
            let written = try JSONDecoder().decode(Settings.self, from: Data(contentsOf: url))
            #expect(written.name == "19")
        }
        withDependencies {
            $0.defaultInMemoryStorage = InMemoryStorage()
            $0.defaultFileStorage = .fileSystem
        } operation: {
            @Shared(.fileStorage(url)) var settings = Settings()
            #expect(settings.name == "19")
        }
    }

    @Test func `settings are read again under their key`() {
        let settings = AppStorage.inMemory
        func use(_ body: () -> Void) {
            withDependencies {
                $0.defaultInMemoryStorage = InMemoryStorage()
                $0.defaultAppStorage = settings
            } operation: {
                body()
            }
        }
        use {
            @Shared(.appStorage("isOn")) var isOn = false
            $isOn.withLock { $0 = true }
        }
        use {
            @Shared(.appStorage("isOn")) var isOn = false
            #expect(isOn)
        }
    }

    @Test func `a key with a default value needs none where it is used`() {
        isolated {
            @Shared(.names) var names
            #expect(names == ["first"])
            $names.withLock { $0.append("second") }
            @SharedReader(.names) var again
            #expect(again == ["first", "second"])
        }
    }

    @Test func `clients see the value`() throws {
        struct State: Encodable {
            @Shared var count: Int
        }
        let json = try JSONEncoder().encode(State(count: Shared(value: 3)))
        #expect(String(decoding: json, as: UTF8.self) == #"{"count":3}"#)
    }
}

extension SharedKey where Self == InMemoryKey<[String]>.Default {
    fileprivate static var names: Self { Self[.inMemory("names"), default: ["first"]] }
}

/// Shared values in stores and in test stores.
@Suite struct SharedStoreTests {
    private struct Feature: ReducerProtocol {
        struct State: Equatable {
            var steps = 0
            @Shared var total: Int
            @Shared(.inMemory("log")) var log: [String] = []
        }

        enum Action: Equatable {
            case add(Int)
            case background
            case later
            case several
            case finished
            case silent
        }

        func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
            switch action {
            case .add(let number):
                state.$total.withLock { $0 += number }
                state.$log.withLock { $0.append("\(number)") }
            case .background: return .run { [total = state.$total] _ in total.withLock { $0 += 1 } }
            case .later:
                return .run { [total = state.$total] send in
                    total.withLock { $0 *= 10 }
                    await send(.finished)
                }
            case .several:
                return .run { [total = state.$total] send in
                    await send(.finished)
                    await send(.add(2))
                    total.withLock { $0 *= 10 }
                    await send(.finished)
                    await send(.add(3))
                }
            case .finished: state.steps += 1
            case .silent: break
            }
            return .none
        }
    }

    private func store(_ total: Int) -> TestStoreOf<Feature> {
        TestStore(initialState: Feature.State(total: Shared(value: total))) { Feature() }
    }

    @Test func `a test states changes of shared values like others`() async {
        let store = store(1)
        await store.send(.add(2)) {
            $0.$total.withLock { $0 = 3 }
            $0.$log.withLock { $0 = ["2"] }
        }
        await store.send(.silent)
        await store.send(.later)
        await store.receive(.finished) {
            $0.steps = 1
            $0.$total.withLock { $0 = 30 }
        }
        await store.finish()
        #expect(store.state.total == 30)
    }

    @Test func `an unstated change of a shared value fails the test`() async {
        let found = await issues {
            let store = store(1)
            await store.send(.add(2)) { $0.$total.withLock { $0 = 3 } }
            await store.send(.add(1)) {
                $0.$total.withLock { $0 = 9 }
                $0.$log.withLock { $0.append("1") }
            }
        }
        #expect(found.count == 2)
        #expect(found.first?.contains("+   [0]: \"2\"") == true, "\(found)")
        #expect(found.last?.contains("− 9\n  + 4") == true, "\(found)")
    }

    @Test func `a non-exhaustive test may omit changes of shared values`() async {
        let found = await issues {
            let store = store(1)
            store.exhaustivity = .off
            await store.send(.add(2))
            await store.send(.add(2)) { $0.$total.withLock { $0 = 5 } }
            await store.send(.add(1)) { $0.$total.withLock { $0 = 7 } }
        }
        #expect(found.count == 1)
    }

    @Test func `the closure of a step never changes the actual shared values`() async {
        let found = await issues {
            let store = store(1)
            store.exhaustivity = .off(showSkippedAssertions: true)
            await store.send(.add(1)) { $0.$total.withLock { $0 += 1 } }
            await store.send(.add(1)) { $0.$total.withLock { $0 = 9 } }
            #expect(store.state.total == 3)
        }
        #expect(found.count == 2)
    }

    @Test func `a step states only changes of shared values that happened before the next received action`() async {
        let right = store(1)
        await right.send(.several)
        await right.receive(.finished) { $0.steps = 1 }
        await right.receive(.add(2)) {
            $0.$total.withLock { $0 += 2 }
            $0.$log.withLock { $0 = ["2"] }
        }
        await right.receive(.finished) {
            $0.steps = 2
            $0.$total.withLock { $0 *= 10 }
        }
        await right.receive(.add(3)) {
            $0.$total.withLock { $0 = 33 }
            $0.$log.withLock { $0.append("3") }
        }
        let found = await issues {
            let store = store(1)
            await store.send(.several)
            await store.receive(.finished) {
                $0.steps = 1
                $0.$total.withLock { $0 = 33 }
            }
            store.exhaustivity = .off
        }
        #expect(found.count == 1)
        #expect(found.first?.contains("− 33\n  + 1") == true, "\(found)")
    }

    @Test func `a test that shows skipped assertions leaves the shared values as the effects made them`() async {
        let store = store(1)
        store.exhaustivity = .off(showSkippedAssertions: true)
        await store.send(.several)
        let total = store.state.total
        await store.receive(.add(2)) { $0.$total.withLock { $0 = 3 } }
        #expect(total == 33)
        #expect(store.state.total == 33)
    }

    @Test func `a test states the changes of shared values by effects before it ends`() async {
        let stated = store(1)
        await stated.send(.background).finish()
        stated.assert { $0.$total.withLock { $0 = 2 } }
        let found = await issues {
            let store = store(1)
            await store.send(.background).finish()
        }
        #expect(found.count == 1)
        #expect(found.first?.contains("− 1\n  + 2") == true, "\(found)")
        let skipped = await issues {
            let store = store(1)
            store.exhaustivity = .off
            await store.send(.background).finish()
        }
        #expect(skipped == [])
    }

    @Test func `state that a step creates has the shared values of the feature`() async {
        let store = store(1)
        await store.send(.add(2)) {
            $0.$total.withLock { $0 = 3 }
            @Shared(.inMemory("log")) var log: [String] = []
            $log.withLock { $0 = ["2"] }
        }
    }

    @Test func `test stores do not share values`() async {
        let (first, second) = (store(0), store(0))
        await first.send(.add(1)) {
            $0.$total.withLock { $0 = 1 }
            $0.$log.withLock { $0 = ["1"] }
        }
        #expect(second.state.log == [])
    }
}

/// How shared values are stored with a session.
@Suite struct SharedCaptureTests {
    private struct Child {
        @Shared var count: Int
    }

    private struct Parent {
        var children: [Child] = []
        @Shared(.inMemory("name")) var name = "a"
    }

    private func codec<Value>(_ type: Value.Type) throws -> StateCodec<Value> {
        var reading = CodecReading()
        let codec = reading.codec(of: type, at: "State.value")
        return try #require(codec)
    }

    @Test func `what was shared before is shared after a restart`() throws {
        var json: [UInt8] = []
        try withDependencies {
            $0.defaultInMemoryStorage = InMemoryStorage()
        } operation: {
            let count = Shared(value: 1)
            let parent = Parent(children: [Child(count: count), Child(count: count), Child(count: Shared(value: 7))])
            parent.$name.withLock { $0 = "b" }
            parent.children[0].$count.withLock { $0 = 2 }
            try codec(Parent.self).encode(parent, &json)
        }
        try withDependencies {
            $0.defaultInMemoryStorage = InMemoryStorage()
        } operation: {
            let parent = try codec(Parent.self).decode(json[...])
            #expect(parent.children.map(\.count) == [2, 2, 7])
            #expect(parent.name == "b")
            parent.children[1].$count.withLock { $0 = 3 }
            #expect(parent.children.map(\.count) == [3, 3, 7])
            @Shared(.inMemory("name")) var name = "c"
            #expect(name == "b")
            // A new value does not get the number of a restored one.
            let new = Child(count: Shared(value: 0))
            new.$count.withLock { $0 = 9 }
            #expect(parent.children.map(\.count) == [3, 3, 7])
        }
    }

    @Test func `values of keys outlive the properties`() {
        let storage = InMemoryStorage()
        withDependencies {
            $0.defaultInMemoryStorage = storage
        } operation: {
            @Shared(.inMemory("draft")) var draft = ""
            $draft.withLock { $0 = "text" }
        }
        let stored = storage.stored
        #expect(stored == [StoredShared(key: "memory:draft", value: #""text""#)])
        let restored = InMemoryStorage()
        restored.restore(stored ?? [])
        #expect(restored.stored == stored)
        withDependencies {
            $0.defaultInMemoryStorage = restored
        } operation: {
            @Shared(.inMemory("draft")) var draft = ""
            #expect(draft == "text")
            // Also if the property exists already.
            restored.restore([StoredShared(key: "memory:draft", value: #""later""#)])
            #expect(draft == "later")
            // What does not fit is not used.
            restored.restore([StoredShared(key: "memory:draft", value: "1")])
            #expect(draft == "later")
        }
        #expect(InMemoryStorage().stored == nil)
    }

    @Test func `a property of a member cannot be stored`() throws {
        struct Pair: Equatable { var first = 1, second = 2 }
        let pair = Shared(value: Pair())
        var json: [UInt8] = []
        #expect(throws: PartOfShared.self) { try codec(Shared<Int>.self).encode(pair.first, &json) }
    }

    @Test func `a value that cannot be captured is an obstacle`() {
        var reading = CodecReading()
        #expect(reading.codec(of: Shared<() -> Void>.self, at: "State.value") == nil)
        #expect(!reading.obstacles.isEmpty)
    }
}
