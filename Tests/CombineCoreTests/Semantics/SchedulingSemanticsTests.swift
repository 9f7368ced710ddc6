import CombineCore
import CombineSchedulers
import CombineTesting
import Dispatch
import Testing

/// Points 29 and 31 of the semantics: schedulers and time.
@Suite struct SchedulingSemanticsTests {
    typealias Recorder = RecordingSubscriber<Int, TestError>
    typealias Source = ScriptedPublisher<Int, TestError>

    @Test func `29 receive(on:) delivers on the scheduler but hands the subscription over at once`() {
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

    @Test func `29 receive(on:) keeps the order on a queue that runs several things at a time`() async {
        let queue = DispatchQueue(label: "several", attributes: .concurrent)
        let values = await withCheckedContinuation { continuation in
            let recorder = RecordingSubscriber<Int, Never>(
                .init(onCompletion: { recorder in
                    // Everything has been delivered by then, or the order is not kept.
                    continuation.resume(returning: recorder.values)
                }))
            (0..<500).publisher.receive(on: queue).subscribe(recorder)
        }
        #expect(values == Array(0..<500))
    }

    @Test func `29 what is on its way when receive(on:) is cancelled does not arrive`() {
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

    @Test func `29 what downstream answers on the scheduler is asked of upstream`() {
        let scheduler = DispatchQueue.test
        let source = Source()
        let recorder = Recorder(.init(demand: .max(1), onValue: { _, _ in .max(2) }))
        source.receive(on: scheduler).subscribe(recorder)
        #expect(source.send(1) == Subscribers.Demand.none)
        scheduler.advance()
        #expect(source.latest?.requests == [.max(1), .max(2)])
    }

    @Test func `31 debounce waits for quiet, and drops what is waiting at the end`() {
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

    @Test func `31 debounce drops what falls due without demand`() {
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

    @Test func `31 delay moves values and the end by the same time`() {
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
