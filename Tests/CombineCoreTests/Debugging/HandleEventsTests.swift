import CombineCore
import CombineTesting
import Testing

@Suite struct HandleEventsTests {
    @Test func `each hook runs before the event is passed on`() {
        var log: [String] = []
        let subject = PassthroughSubject<Int, Mishap>()
        let recorder = subject.handleEvents(
            receiveSubscription: { log.append("subscription \($0)") }, receiveOutput: { log.append("output \($0)") },
            receiveCompletion: { log.append("completion \($0)") }, receiveCancel: { log.append("cancel") },
            receiveRequest: { log.append("request \($0)") }
        ).record(.max(1), more: .max(2))
        subject.send(7)
        subject.send(completion: .failure(.first))
        recorder.cancel()
        #expect(
            log == [
                "subscription PassthroughSubject", "request max(1)", "output 7", "request max(2)",
                "completion \(Subscribers.Completion<Mishap>.failure(.first))",
            ])
        #expect(recorder.log == ["subscription HandleEvents", "7", "failure first"])
    }

    @Test func `handleEvents neither reports nor forwards what arrives after the end`() {
        var values: [Int] = []
        let source = ScriptedPublisher<Int, Never>(.unruly)
        let recorder = source.handleEvents(receiveOutput: { values.append($0) }).record()
        source.send(1)
        source.send(completion: .finished)
        source.send(2)
        #expect(values == [1])
        #expect(recorder.log == ["subscription HandleEvents", "1", "finished"])
    }

    @Test func `cancelling runs the hook once and releases the closures`() {
        final class Token {}
        var token: Token? = Token()
        weak let held = token
        var cancels = 0
        let recorder = PassthroughSubject<Int, Never>().handleEvents(
            receiveOutput: { [token] _ in withExtendedLifetime(token) {} }, receiveCancel: { cancels += 1 }
        ).record()
        token = nil
        #expect(held != nil)
        let subscription = recorder.subscription
        recorder.cancel()
        subscription?.cancel()
        #expect(cancels == 1)
        #expect(held == nil)
    }
}
