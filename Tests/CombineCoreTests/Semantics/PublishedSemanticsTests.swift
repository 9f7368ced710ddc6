import CombineCore
import CombineTesting
import Testing

/// Tests of `@Published` and `ObservableObject`.
@Suite struct PublishedSemanticsTests {
    class Model: ObservableObject {
        @Published var count = 0
        @Published var name = "a"
        var plain = 0
    }

    final class Derived: Model {
        @Published var extra = 0
    }

    final class PlainDerived: Model {
        var more = 1
    }

    final class Reflected: ObservableObject, CustomReflectable {
        @Published var count = 0
        var customMirror: Mirror { Mirror(self, children: ["nothing": 0]) }
    }

    final class Empty: ObservableObject {}

    final class Own: ObservableObject {
        let objectWillChange = PassthroughSubject<Int, Never>()
        @Published var count = 0
    }

    struct Settings: Equatable {
        var level = 1
        var title = "t"
    }

    final class Nested: ObservableObject {
        @Published var settings = Settings()
        @Published private(set) var list: [Int] = []

        func grow() { list.append(list.count) }
    }

    @Test func `a subscriber receives the new value while the property still has the old one`() {
        let model = Model()
        var log: [String] = []
        let token = model.$count.sink { log.append("new \($0) old \(model.count)") }
        model.count = 1
        #expect(log == ["new 0 old 0", "new 1 old 0"])
        #expect(model.count == 1)
        withExtendedLifetime(token) {}
    }

    @Test func `setting an equal value publishes it`() {
        let model = Model()
        var got: [Int] = []
        let token = model.$count.sink { got.append($0) }
        model.count = 0
        model.count = 0
        #expect(got == [0, 0, 0])
        withExtendedLifetime(token) {}
    }

    @Test func `setting the property from its own sink leaves the outer value stored`() {
        let model = Model()
        var got: [Int] = []
        let token = model.$count.dropFirst().sink { value in
            got.append(value)
            if value == 1 { model.count = 2 }
        }
        model.count = 1
        #expect(got == [1, 2])
        #expect(model.count == 1)
        withExtendedLifetime(token) {}
    }

    @Test func `a subscriber that requests late receives the current value`() {
        let model = Model()
        let recorder = RecordingSubscriber<Int, Never>(demand: .none)
        model.$count.subscribe(recorder)
        model.count = 1
        model.count = 2
        #expect(recorder.values == [])
        recorder.request(.max(1))
        #expect(recorder.values == [2])
        recorder.request(.max(1))
        model.count = 3
        #expect(recorder.values == [2, 3])
    }

    @Test func `mutating a part of the value publishes the whole value`() {
        let nested = Nested()
        var levels: [Int] = []
        var lists: [[Int]] = []
        var tokens = Set<AnyCancellable>()
        nested.$settings.sink { levels.append($0.level) }.store(in: &tokens)
        nested.$list.sink { lists.append($0) }.store(in: &tokens)
        nested.settings.level += 4
        nested.settings.title = "u"
        nested.grow()
        nested.grow()
        #expect(levels == [1, 5, 5])
        #expect(lists == [[], [0], [0, 1]])
        #expect(nested.settings == Settings(level: 5, title: "u"))
    }

    @Test func `objectWillChange fires before the property's subscribers and before the change`() {
        let model = Model()
        var log: [String] = []
        var tokens = Set<AnyCancellable>()
        model.$count.dropFirst().sink { log.append("value \($0)") }.store(in: &tokens)
        model.objectWillChange.sink { log.append("will \(model.count)") }.store(in: &tokens)
        model.count = 1
        #expect(log == ["will 0", "value 1"])
    }

    @Test func `only published properties trigger objectWillChange`() {
        let model = Model()
        var count = 0
        let token = model.objectWillChange.sink { count += 1 }
        model.count = 1
        model.name = "b"
        model.plain = 2
        #expect(count == 2)
        withExtendedLifetime(token) {}
    }

    @Test func `the properties of a class and of its superclass share one objectWillChange`() {
        let derived = Derived()
        var count = 0
        let token = derived.objectWillChange.sink { count += 1 }
        derived.count = 1
        derived.extra = 1
        derived.name = "z"
        #expect(count == 3)
        #expect(derived.objectWillChange === (derived as Model).objectWillChange)
        withExtendedLifetime(token) {}
    }

    @Test func `objectWillChange of a subclass without published properties covers its superclass`() {
        let derived = PlainDerived()
        var count = 0
        let token = derived.objectWillChange.sink { count += 1 }
        derived.count = 1
        derived.more = 2
        #expect(count == 1)
        withExtendedLifetime(token) {}
    }

    @Test func `a class with a custom mirror triggers objectWillChange`() {
        let reflected = Reflected()
        var count = 0
        let token = reflected.objectWillChange.sink { count += 1 }
        reflected.count = 1
        #expect(count == 1)
        withExtendedLifetime(token) {}
    }

    @Test func `an object without published properties has one publisher, of its own`() {
        let empty = Empty()
        var count = 0
        let token = empty.objectWillChange.sink { count += 1 }
        empty.objectWillChange.send()
        #expect(count == 1)
        #expect(empty.objectWillChange === empty.objectWillChange)
        #expect(empty.objectWillChange !== Empty().objectWillChange)
        withExtendedLifetime(token) {}
    }

    @Test func `the publisher of a released object is not that of the next one in its place`() {
        var released: [ObservableObjectPublisher] = []
        for _ in 0..<200 { released.append(Empty().objectWillChange) }
        #expect(Set(released.map(ObjectIdentifier.init)).count == 200)
    }

    @Test func `a custom objectWillChange is not triggered by published properties`() {
        let own = Own()
        var got: [Int] = []
        let token = own.objectWillChange.sink { got.append($0) }
        own.count = 1
        own.objectWillChange.send(5)
        #expect(got == [5])
        withExtendedLifetime(token) {}
    }

    @Test func `objectWillChange is the same object on every access`() {
        let model = Model()
        #expect(model.objectWillChange === model.objectWillChange)
        #expect(model.objectWillChange !== Model().objectWillChange)
    }

    @Test func `each object has its own objectWillChange`() {
        let (one, other) = (Model(), Model())
        var count = 0
        let token = one.objectWillChange.sink { count += 1 }
        other.count = 1
        #expect(count == 0)
        one.count = 1
        #expect(count == 1)
        withExtendedLifetime(token) {}
    }

    @Test func `a subscriber added while a value is being sent receives it before the property changes`() {
        let model = Model()
        var log: [String] = []
        var tokens = Set<AnyCancellable>()
        model.$count.dropFirst().sink { _ in
            model.$count.sink { log.append("inner \($0) property \(model.count)") }.store(in: &tokens)
        }.store(in: &tokens)
        model.count = 1
        #expect(log == ["inner 1 property 0"])
        model.count = 2
        #expect(log == ["inner 1 property 0", "inner 2 property 1", "inner 2 property 1"])
    }

    @Test func `a subscriber added during a nested change receives the innermost value`() {
        let model = Model()
        var log: [Int] = []
        var tokens = Set<AnyCancellable>()
        model.$count.dropFirst().sink { value in
            if value == 1 { model.count = 2 } else { model.$count.sink { log.append($0) }.store(in: &tokens) }
        }.store(in: &tokens)
        model.count = 1
        #expect(log == [2])
        #expect(model.count == 1)
    }

    @Test func `a subscription during a change receives the sent value while the property has the old one`() {
        let model = Model()
        model.count = 1
        var moment: [Int] = []
        var tokens = Set<AnyCancellable>()
        var before = model.count
        model.$count.dropFirst().sink { sent in
            model.$count.first().sink { moment = [before, sent, model.count, $0] }.store(in: &tokens)
            before = sent
        }.store(in: &tokens)
        model.count = 2
        #expect(moment == [1, 2, 1, 2])
    }

    @Test func `a published property is deallocated without sending a completion`() {
        var model: Model? = Model()
        let recorder = RecordingSubscriber<Int, Never>()
        model?.$count.subscribe(recorder)
        model = nil
        #expect(recorder.values == [0])
        #expect(recorder.completion == nil)
        #expect(recorder.violations == [])
    }

    @Test func `assign(to:) sets the property while both ends exist, and retains neither`() {
        let probe = LifetimeProbe()
        let subject = PassthroughSubject<Int, Never>()
        var model: Model? = probe.watch(Model(), as: "model")
        if let model { subject.assign(to: &model.$count) }
        subject.send(3)
        #expect(model?.count == 3)
        model = nil
        #expect(probe.alive == [])
        subject.send(4)
    }

    @Test func `assign(to:) from the object's own property does not retain the object`() {
        final class Mirrored: ObservableObject {
            @Published var source = 1
            @Published var copy = 0
            init() { $source.map { $0 * 10 }.assign(to: &$copy) }
        }
        let probe = LifetimeProbe()
        var object: Mirrored? = probe.watch(Mirrored(), as: "object")
        object?.source = 2
        #expect(object?.copy == 20)
        object = nil
        #expect(probe.alive == [])
    }

    @Test func `a projected publisher delivers every value to each of its subscribers`() {
        let model = Model()
        var first: [Int] = []
        var second: [Int] = []
        let one = model.$count.sink { first.append($0) }
        model.count = 1
        let two = model.$count.sink { second.append($0) }
        model.count = 2
        #expect(first == [0, 1, 2])
        #expect(second == [1, 2])
        one.cancel()
        model.count = 3
        #expect(first == [0, 1, 2])
        #expect(second == [1, 2, 3])
        withExtendedLifetime(two) {}
    }
}
