import CombineCore
import Testing

@Suite struct ValueSinkTests {
    /// A publisher that exposes its subscriber.
    final class SubscriberExposingPublisher: Publisher {
        typealias Output = Int
        typealias Failure = Never
        private(set) var received: Any?
        private(set) var subscriber: AnySubscriber<Int, Never>?

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
            received = subscriber
            self.subscriber = AnySubscriber(subscriber)
        }
    }

    @Test func `a sink without a completion closure follows the rules of any sink`() throws {
        let source = SubscriberExposingPublisher()
        var got: [Int] = []
        let token = source.sink { got.append($0) }
        #expect(source.received.map { String(describing: $0) } == "Sink")
        let subscriber = try #require(source.subscriber)
        var log: [String] = []
        let first = Empty<Int, Never>(completeImmediately: false).handleEvents(
            receiveCancel: { log.append("cancel") }, receiveRequest: { log.append("request \($0)") })
        first.subscribe(subscriber)
        Just(1).handleEvents(receiveCancel: { log.append("cancel second") }).subscribe(subscriber)
        #expect(log == ["request unlimited", "cancel second"])
        #expect(subscriber.receive(2) == .none)
        token.cancel()
        #expect(subscriber.receive(3) == .none)
        #expect(got == [2])
        #expect(log == ["request unlimited", "cancel second", "cancel"])
    }
}
