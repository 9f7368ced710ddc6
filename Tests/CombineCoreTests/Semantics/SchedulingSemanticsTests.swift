import CombineCore
import CombineSchedulers
import CombineTesting
import Dispatch
import Testing

/// Tests of the operators that deliver on a scheduler: `receive`, `debounce` and `delay`.
@Suite struct SchedulingSemanticsTests {
    typealias Recorder = RecordingSubscriber<Int, TestError>
    typealias Source = ScriptedPublisher<Int, TestError>

    @Test func `receive(on:) delivers on the scheduler but passes the subscription on immediately`() {
        let scheduler = DispatchQueue.test
        let source = Source()
        let recorder = Recorder()
        source.receive(on: scheduler).subscribe(recorder)
        #expect(recorder.subscription != nil)
        #expect(source.latest?.requests == [.unlimited])
        source.send(1)
        source.send(completion: .finished)
        #expect(recorder.values == [])
        #expect(recorder.completion == nil)
        scheduler.advance()
        #expect(recorder.values == [1])
        #expect(recorder.completion == .finished)
    }

    @Test func `receive(on:) keeps the order of values on a concurrent queue`() async {
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let values = await withCheckedContinuation { continuation in
            let recorder = RecordingSubscriber<Int, Never>(
                .init(onCompletion: { recorder in
                    // The completion must come last, so the values are complete here if the order is kept.
                    continuation.resume(returning: recorder.values)
                }))
            (0..<500).publisher.receive(on: queue).subscribe(recorder)
        }
        #expect(values == Array(0..<500))
    }

    @Test func `a value that is pending when receive(on:) is cancelled is not delivered`() {
        let scheduler = DispatchQueue.test
        let source = Source()
        let recorder = Recorder()
        source.receive(on: scheduler).subscribe(recorder)
        source.send(1)
        recorder.cancel()
        scheduler.advance()
        #expect(recorder.values == [])
        #expect(recorder.violations == [])
    }

    @Test func `receive(on:) requests from upstream the demand that downstream returns on the scheduler`() {
        let scheduler = DispatchQueue.test
        let source = Source()
        let recorder = Recorder(.init(demand: .max(1), onValue: { _, _ in .max(2) }))
        source.receive(on: scheduler).subscribe(recorder)
        #expect(source.send(1) == Subscribers.Demand.none)
        scheduler.advance()
        #expect(source.latest?.requests == [.max(1), .max(2)])
    }

    @Test func `debounce waits for a pause and drops a pending value when the stream ends`() {
        let scheduler = DispatchQueue.test
        let subject = PassthroughSubject<Int, TestError>()
        let recorder = Recorder()
        subject.debounce(for: .seconds(1), scheduler: scheduler).subscribe(recorder)
        subject.send(1)
        scheduler.advance(by: .milliseconds(999))
        subject.send(2)
        scheduler.advance(by: .milliseconds(999))
        #expect(recorder.values == [])
        scheduler.advance(by: .milliseconds(1))
        #expect(recorder.values == [2])
        subject.send(3)
        subject.send(completion: .finished)
        scheduler.advance(by: .seconds(5))
        #expect(recorder.values == [2])
        #expect(recorder.completion == .finished)
    }

    @Test func `debounce drops a value that becomes due without demand`() {
        let scheduler = DispatchQueue.test
        let subject = PassthroughSubject<Int, TestError>()
        let recorder = Recorder(demand: .max(1))
        subject.debounce(for: .seconds(1), scheduler: scheduler).subscribe(recorder)
        for value in 1...2 {
            subject.send(value)
            scheduler.advance(by: .seconds(1))
        }
        recorder.request(.max(1))
        subject.send(3)
        scheduler.advance(by: .seconds(1))
        #expect(recorder.values == [1, 3])
        #expect(recorder.violations == [])
    }

    @Test func `delay postpones values and the completion by the same interval`() {
        let scheduler = DispatchQueue.test
        let subject = PassthroughSubject<Int, TestError>()
        let recorder = Recorder()
        subject.delay(for: .seconds(2), scheduler: scheduler).subscribe(recorder)
        subject.send(1)
        scheduler.advance(by: .seconds(1))
        subject.send(2)
        subject.send(completion: .failure(TestError(2)))
        scheduler.advance(by: .seconds(1))
        #expect(recorder.values == [1])
        scheduler.advance(by: .milliseconds(999))
        #expect(recorder.values == [1])
        scheduler.advance(by: .milliseconds(1))
        #expect(recorder.values == [1, 2])
        #expect(recorder.completion == .failure(TestError(2)))
    }
}
