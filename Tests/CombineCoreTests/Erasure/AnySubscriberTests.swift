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

    @Test func `it has the description of the erased subscriber`() {
        let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
        let erased = AnySubscriber(sink)
        #expect(erased.description == "Sink")
        #expect(erased.playgroundDescription as? String == "Sink")
        #expect(erased.customMirror.children.isEmpty)
    }

    @Test func `it has the mirror of the erased subscriber`() {
        let box = Box()
        let assign = Subscribers.Assign(object: box, keyPath: \Box.value)
        #expect(
            AnySubscriber(assign).customMirror.children.map(\.label) == Mirror(reflecting: assign).children.map(\.label)
        )
    }

    @Test func `its description is the type name if the erased subscriber has no description`() {
        #expect(AnySubscriber(Bare()).description == "Bare")
        #expect(AnySubscriber(Bare()).customMirror.children.isEmpty)
    }

    @Test func `a subscriber made of closures is anonymous`() {
        let subscriber = AnySubscriber<Int, Never>(receiveValue: { .max($0) })
        #expect(subscriber.description == "Anonymous AnySubscriber")
        #expect(subscriber.playgroundDescription as? String == "Anonymous AnySubscriber")
    }

    @Test func `omitted closures do nothing`() {
        let subscriber = AnySubscriber<Int, Never>()
        subscriber.receive(subscription: Subscriptions.empty)
        #expect(subscriber.receive(1) == .none)
        subscriber.receive(completion: .finished)
    }

    @Test func `it does not wrap a subscriber that is already erased`() {
        let inner = AnySubscriber(Bare())
        #expect(AnySubscriber(inner).combineIdentifier == inner.combineIdentifier)
        #expect(AnySubscriber(inner).receive(4) == .max(4))
    }

    @Test func `it has the identity of the erased subscriber`() {
        let bare = Bare()
        #expect(AnySubscriber(bare).combineIdentifier == bare.combineIdentifier)
    }

    @Test func `a subscriber made from a subject sends to the subject`() {
        let subject = PassthroughSubject<Int, Never>()
        var got: [Int] = []
        let token = subject.sink { got.append($0) }
        [1, 2].publisher.subscribe(AnySubscriber(subject))
        #expect(got == [1, 2])
        token.cancel()
    }

    @Test func `the description of an erased publisher is only its type`() {
        let publisher = Just(1).map { $0 }.eraseToAnyPublisher()
        #expect(publisher.description == "AnyPublisher")
        #expect(publisher.playgroundDescription as? String == "AnyPublisher")
    }

    private final class Box {
        var value = 0
    }
}
