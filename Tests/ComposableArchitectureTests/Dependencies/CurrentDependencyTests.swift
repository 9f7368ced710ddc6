import FoundationEssentials
import Locking
import StateCapture
import Testing

@testable import ComposableArchitecture

@Suite struct CurrentDependencyTests {
    private enum WordKey: DependencyKey {
        static var liveValue: String { "live" }
        static var previewValue: String { "preview" }
        static var testValue: String { "test" }
    }

    private enum PreparedKey: DependencyKey {
        static var liveValue: Int { 0 }
        static var testValue: Int { 0 }
    }

    @Test func `a key has a value for each context`() {
        for (context, word) in [(DependencyContext.live, "live"), (.preview, "preview"), (.test, "test")] {
            withDependencies {
                $0.context = context
            } operation: {
                @Dependency(WordKey.self) var value
                #expect(value == word)
            }
        }
    }

    @Test func `prepared dependencies apply in the running test, and to its sessions that are created later`() async {
        func store() -> Store<Int, Void> {
            Store(initialState: 0) {
                Reduce { state, _ in
                    @Dependency(PreparedKey.self) var number
                    state = number
                    return .none
                }
            }
        }
        func hosted() -> Store<Int, Void> {
            let registry = StateRegistry(clockOffset: 0)
            registry.seed = 1
            return registry.wire { store() }
        }
        let earlier = hosted()
        prepareDependencies { $0[PreparedKey.self] = 7 }
        let stores = [earlier, hosted(), store()]
        for store in stores { store.send(()) }
        #expect(stores.map { $0.withState { $0 } } == [0, 7, 7])
        let ofAnother = await Task.detached { DependencyValues._current[PreparedKey.self] }.value
        #expect(ofAnother == 0)
        #expect(prepareDependencies { $0[PreparedKey.self] } == 7)
    }

    @Test func `the environment can be prepared`() {
        prepareDependencies {
            $0.context = .live
            $0[PreparedKey.self] = 3
        }
        @Dependency(\.context) var context
        @Dependency(WordKey.self) var word
        @Dependency(PreparedKey.self) var number
        #expect(context == .live)
        #expect(word == "live")
        #expect(number == 3)
        withDependencies {
            $0.context = .test
        } operation: {
            #expect(word == "test")
            #expect(number == 0)
        }
    }

    @Test func `a generator of UUIDs counts`() {
        let uuid = UUIDGenerator.incrementing
        #expect(uuid() == UUID(0))
        #expect(uuid() == UUID(1))
        #expect(UUID(0x2A).uuidString == "00000000-0000-0000-0000-00000000002A")
        #expect(UUID(1 << 48 | 3) == UUID(3))
    }

    @Test func `a date can be set`() {
        withDependencies {
            $0.date.now = Date(timeIntervalSinceReferenceDate: 3)
        } operation: {
            @Dependency(\.date.now) var now
            @Dependency(\.date) var date
            #expect(now == Date(timeIntervalSinceReferenceDate: 3))
            #expect(date() == now)
        }
    }

    @Test func `random values come from the given generator`() {
        struct Constant: RandomNumberGenerator {
            func next() -> UInt64 { .max }
        }
        withDependencies {
            $0.withRandomNumberGenerator = WithRandomNumberGenerator(Constant())
        } operation: {
            @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
            #expect(withRandomNumberGenerator { Int.random(in: 1...6, using: &$0) } == 6)
        }
    }

    @Test func `a test that uses what it has not overridden fails`() async {
        var values = DependencyValues()
        values.context = .test
        let found = await issues {
            await withDependencies {
                $0 = values
            } operation: {
                @Dependency(\.suspendingClock) var clock
                @Dependency(\.calendar) var calendar
                @Dependency(\.locale) var locale
                @Dependency(\.timeZone) var timeZone
                @Dependency(\.withRandomNumberGenerator) var random
                _ = random { UInt8.random(in: 0...255, using: &$0) }
                _ = (calendar, locale, timeZone)
                try? await clock.sleep(for: .zero)
            }
        }
        for name in ["suspendingClock", "calendar", "locale", "timeZone", "withRandomNumberGenerator"] {
            #expect(found.contains { $0.contains("\"\(name)\"") }, "\(found)")
        }
    }

    private final class Model {
        @Dependency(WordKey.self) var word

        func child() -> Model {
            withDependencies(from: self) { Model() }
        }
    }

    @Test func `a child gets the dependencies of its parent`() {
        let model = withDependencies {
            $0[WordKey.self] = "own"
        } operation: {
            Model()
        }
        #expect(model.child().child().word == "own")
        #expect(Model().child().word == "test")
        let other = withDependencies(from: model, { $0[WordKey.self] = "other" }) { Model() }
        #expect(other.word == "other")
    }

    fileprivate struct Client: TestDependencyKey, Equatable {
        var name: String
        static var testValue: Client { Client(name: "test") }
    }

    @Test func `a dependency that is its own key is overridden by value`() {
        let reader = Reduce<String, Void> { state, _ in
            @Dependency(Client.self) var client
            state = client.name
            return .none
        }
        let store = Store(initialState: "") { reader.dependency(Client(name: "a")) }
        store.send(())
        #expect(store.withState { $0 } == "a")
        let changed = Store(initialState: "") {
            reader.transformDependency(\.client) { $0.name += "!" }.dependency(Client(name: "b"))
        }
        changed.send(())
        #expect(changed.withState { $0 } == "b!")
    }
}

extension DependencyValues {
    fileprivate var client: CurrentDependencyTests.Client {
        get { self[CurrentDependencyTests.Client.self] }
        set { self[CurrentDependencyTests.Client.self] = newValue }
    }
}
