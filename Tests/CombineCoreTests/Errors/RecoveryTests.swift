import CombineCore
import CombineTesting
import Testing

@Suite struct RecoveryTests {
    /// Fails `failures` times after one value, then delivers another and finishes.
    final class Flaky: Publisher {
        typealias Output = Int
        typealias Failure = Mishap
        private(set) var attempts = 0
        private let failures: Int

        init(failures: Int) {
            self.failures = failures
        }

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Mishap {
            attempts += 1
            let completion: Subscribers.Completion<Mishap> = attempts <= failures ? .failure(.first) : .finished
            Record(output: [attempts], completion: completion).receive(subscriber: subscriber)
        }
    }

    @Test func `retry resubscribes up to its limit`() {
        let flaky = Flaky(failures: 2)
        #expect(flaky.retry(2).events() == ["1", "2", "3", "finished"])
        #expect(Flaky(failures: 2).retry(1).events() == ["1", "2", "failure first"])
        #expect(Flaky(failures: 3).retry(-1).events() == ["1", "2", "3", "4", "finished"])
        #expect(flaky.attempts == 3)
    }

    @Test func `retry passes unmet demand to the next attempt`() {
        let recorder = Flaky(failures: 5).retry(5).record(.max(2))
        #expect(recorder.take() == ["subscription Retry", "1", "2"])
        recorder.request(1)
        #expect(recorder.take() == ["3"])
    }

    @Test func `an upstream that fails immediately is retried in a loop`() {
        let failing = Fail<Int, Mishap>(error: .first)
        #expect(failing.retry(100_000).events() == ["failure first"])
    }

    @Test func `tryCatch continues with the handler's publisher or fails with its error`() {
        let failing = Record<Int, Mishap>(output: [1], completion: .failure(.first))
        #expect(failing.tryCatch { _ in Just(2) }.events() == ["1", "2", "finished"])
        #expect(failing.tryCatch { _ -> Just<Int> in throw Mishap.second }.events() == ["1", "failure second"])
        #expect(failing.tryCatch { Fail<Int, Mishap>(error: $0) }.events() == ["1", "failure first"])
    }

    @Test func `assertNoFailure passes on values and a finish`() {
        #expect([1, 2].publisher.setFailureType(to: Mishap.self).assertNoFailure().events() == ["1", "2", "finished"])
    }

    @Test func `replaceEmpty delivers its value when there is demand`() {
        let recorder = Empty<Int, Never>().replaceEmpty(with: 7).record(.none)
        #expect(recorder.take() == ["subscription ReplaceEmpty"])
        recorder.request(1)
        #expect(recorder.take() == ["7", "finished"])
        let numbers = [1, 2].publisher.eraseToAnyPublisher()
        #expect(numbers.replaceEmpty(with: 7).events() == ["1", "2", "finished"])
        #expect(numbers.replaceEmpty(with: 7).events(.max(1)) == ["1", "2", "finished"])
        #expect(Fail<Int, Mishap>(error: .first).replaceEmpty(with: 7).events() == ["failure first"])
    }

    @Test func `replaceEmpty makes an unlimited request and passes requests on`() {
        var requests: [Subscribers.Demand] = []
        let recorder = PassthroughSubject<Int, Never>().handleEvents(receiveRequest: { requests.append($0) })
            .replaceEmpty(with: 7).record(.max(42))
        #expect(requests == [.max(42), .unlimited])
        recorder.request(5)
        #expect(requests == [.max(42), .unlimited, .max(5)])
    }

    @Test func `demand returned for a value counts towards the value that replaces an error`() {
        let subject = PassthroughSubject<Int, TestError>()
        let recorder = RecordingSubscriber<Int, Never>(
            .init(
                demand: .max(1),
                onValue: { _, value in
                    if value == 1 { subject.send(completion: .failure(TestError())) }
                    return .max(1)
                }))
        subject.replaceError(with: 9).subscribe(recorder)
        subject.send(1)
        #expect(recorder.events.map(\.description) == ["subscription(ReplaceError)", "1", "9", "finished"])
    }
}
