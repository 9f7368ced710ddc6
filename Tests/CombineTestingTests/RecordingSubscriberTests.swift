import CombineCore
import CombineTesting
import Testing

@Suite struct RecordingSubscriberTests {
    typealias Recorder = RecordingSubscriber<Int, TestError>

    @Test func `it records all events in order`() {
        let recorder = Recorder()
        [1, 2].publisher.setFailureType(to: TestError.self).append(Fail(error: TestError(3))).subscribe(recorder)
        #expect(recorder.values == [1, 2])
        #expect(recorder.completion == .failure(TestError(3)))
        #expect(recorder.events.map(\.description).suffix(3) == ["1", "2", "failure(TestError(3))"])
        #expect(recorder.violations == [])
        #expect(recorder.subscription == nil)
    }

    @Test func `it requests the demand of its script and of the test`() {
        let recorder = Recorder(.init(demand: .max(1), onValue: { _, value in value == 1 ? .max(1) : .none }))
        (1...9).publisher.setFailureType(to: TestError.self).subscribe(recorder)
        #expect(recorder.values == [1, 2])
        recorder.request(.max(2))
        #expect(recorder.values == [1, 2, 3, 4])
        recorder.cancel()
        #expect(recorder.subscription == nil)
        #expect(recorder.completion == nil)
    }

    @Test func `it detects all violations`() {
        let source = ScriptedPublisher<Int, TestError>(.silent)
        let recorder = Recorder(demand: .max(1))
        source.subscribe(recorder)
        source.send(0)
        source.latest?.sendSubscription()
        source.latest?.sendSubscription()
        source.send(1)
        source.send(completion: .finished)
        source.send(2)
        source.send(completion: .finished)
        #expect(
            recorder.violations == [
                .valueBeforeSubscription, .valueWithoutDemand, .secondSubscription, .valueWithoutDemand,
                .valueAfterCompletion, .valueWithoutDemand, .secondCompletion,
            ])
    }

    @Test func `it detects events after its cancellation`() {
        let source = ScriptedPublisher<Int, TestError>(.unruly)
        let recorder = Recorder()
        source.subscribe(recorder)
        recorder.cancel()
        source.send(1)
        source.send(completion: .finished)
        #expect(recorder.violations == [.valueAfterCancellation, .completionAfterCancellation])
        #expect(source.latest?.cancellations == 1)
    }

    @Test func `it detects a completion before the subscription`() {
        let source = ScriptedPublisher<Int, TestError>(.silent)
        let recorder = Recorder()
        source.subscribe(recorder)
        source.send(completion: .finished)
        #expect(recorder.violations == [.completionBeforeSubscription])
        #expect("\(Violation.completionBeforeSubscription)" == "the completion arrived before the subscription")
    }
}
