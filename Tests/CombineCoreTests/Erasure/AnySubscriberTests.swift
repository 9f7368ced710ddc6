import CombineCore
import CombineTesting
import Testing

@Suite struct AnySubscriberTests {
    private struct Bare: Subscriber {
        let combineIdentifier = CombineIdentifier()
        func receive(subscription: any Subscription) {}
        func receive(_ input: Int) -> Subscribers.Demand { .max(input) }
        func receive(completion: Subscribers.Completion<Never>) {}
    }

    @Test func `it describes itself as what it hides does`() {
        let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
        let erased = AnySubscriber(sink)
        #expect(erased.description == "Sink")
        #expect(erased.playgroundDescription as? String == "Sink")
        #expect(erased.customMirror.children.isEmpty)
    }

    @Test func `it shows the mirror of what it hides`() {
        let box = Box()
        let assign = Subscribers.Assign(object: box, keyPath: \Box.value)
        #expect(
            AnySubscriber(assign).customMirror.children.map(\.label) == Mirror(reflecting: assign).children.map(\.label)
        )
    }

    @Test func `without a description it says the type that it hides`() {
        #expect(AnySubscriber(Bare()).description == "Bare")
        #expect(AnySubscriber(Bare()).customMirror.children.isEmpty)
    }

    @Test func `one of closures is anonymous`() {
        let subscriber = AnySubscriber<Int, Never>(receiveValue: { .max($0) })
        #expect(subscriber.description == "Anonymous AnySubscriber")
        #expect(subscriber.playgroundDescription as? String == "Anonymous AnySubscriber")
    }

    @Test func `closures that are left out do nothing`() {
        let subscriber = AnySubscriber<Int, Never>()
        subscriber.receive(subscription: Subscriptions.empty)
        #expect(subscriber.receive(1) == .none)
        subscriber.receive(completion: .finished)
    }

    @Test func `it hides what is hidden already only once`() {
        let inner = AnySubscriber(Bare())
        #expect(AnySubscriber(inner).combineIdentifier == inner.combineIdentifier)
        #expect(AnySubscriber(inner).receive(4) == .max(4))
    }

    @Test func `it has the identity of what it hides`() {
        let bare = Bare()
        #expect(AnySubscriber(bare).combineIdentifier == bare.combineIdentifier)
    }

    @Test func `one over a subject feeds the subject`() {
        let subject = PassthroughSubject<Int, Never>()
        var got: [Int] = []
        let token = subject.sink { got.append($0) }
        [1, 2].publisher.subscribe(AnySubscriber(subject))
        #expect(got == [1, 2])
        token.cancel()
    }

    @Test func `an erased publisher says only that it is one`() {
        let publisher = Just(1).map { $0 }.eraseToAnyPublisher()
        #expect(publisher.description == "AnyPublisher")
        #expect(publisher.playgroundDescription as? String == "AnyPublisher")
    }

    private final class Box {
        var value = 0
    }
}
