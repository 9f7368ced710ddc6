import CombineCore
import CombineSchedulers
import CombineTesting
import Dispatch
import Testing

/// Tests of `throttle`, `timeout`, `collect` by time, and of `prefix` and `drop` until another publisher delivers.
@Suite struct TimingSemanticsTests {
    typealias Recorder = RecordingSubscriber<Int, TestError>
    typealias Subject = PassthroughSubject<Int, TestError>

    @Test(arguments: [true, false])
    func `throttle delivers the first value immediately, then one for each interval`(latest: Bool) {
        let scheduler = DispatchQueue.test
        let subject = Subject()
        let recorder = Recorder()
        subject.throttle(for: .seconds(10), scheduler: scheduler, latest: latest).subscribe(recorder)
        subject.send(1)
        scheduler.advance()
        #expect(recorder.values == [1])
        for value in 2...4 {
            scheduler.advance(by: .seconds(1))
            subject.send(value)
        }
        scheduler.advance(by: .seconds(6))
        #expect(recorder.values == [1])
        scheduler.advance(by: .seconds(1))
        #expect(recorder.values == [1, latest ? 4 : 2])
        scheduler.advance(by: .seconds(60))
        #expect(recorder.values == [1, latest ? 4 : 2])
        subject.send(5)
        scheduler.advance()
        #expect(recorder.values.last == 5)
    }

    @Test func `timeout ends the stream when no value arrives in time, and restarts with each value`() {
        let scheduler = DispatchQueue.test
        let subject = Subject()
        let recorder = Recorder()
        subject.timeout(.seconds(10), scheduler: scheduler).subscribe(recorder)
        for value in 1...3 {
            scheduler.advance(by: .seconds(9))
            subject.send(value)
            scheduler.advance()
        }
        #expect(recorder.values == [1, 2, 3])
        #expect(recorder.completion == nil)
        scheduler.advance(by: .seconds(10))
        #expect(recorder.completion == .finished)
        subject.send(4)
        scheduler.advance()
        #expect(recorder.violations == [])
    }

    @Test func `timeout fails with its custom error`() {
        let scheduler = DispatchQueue.test
        let source = ScriptedPublisher<Int, TestError>()
        let recorder = Recorder()
        source.timeout(.seconds(1), scheduler: scheduler, customError: { TestError(5) }).subscribe(recorder)
        scheduler.advance(by: .seconds(1))
        #expect(recorder.completion == .failure(TestError(5)))
        #expect(source.latest?.cancellations == 1)
    }

    @Test func `timeout does nothing after a completion or a cancellation`() {
        let scheduler = DispatchQueue.test
        let subject = Subject()
        let (ended, cancelled) = (Recorder(), Recorder())
        subject.timeout(.seconds(1), scheduler: scheduler).subscribe(cancelled)
        cancelled.cancel()
        subject.timeout(.seconds(1), scheduler: scheduler).subscribe(ended)
        subject.send(completion: .finished)
        scheduler.advance(by: .seconds(9))
        #expect(cancelled.completion == nil)
        #expect(ended.completions == [.finished])
    }

    @Test func `collect by time or count delivers a full array immediately and a partial one when the interval ends`() {
        let scheduler = DispatchQueue.test
        let subject = Subject()
        let recorder = RecordingSubscriber<[Int], TestError>()
        subject.collect(.byTimeOrCount(scheduler, .seconds(10), 3)).subscribe(recorder)
        for value in 1...3 { subject.send(value) }
        #expect(recorder.values == [[1, 2, 3]])
        subject.send(4)
        scheduler.advance(by: .seconds(10))
        #expect(recorder.values == [[1, 2, 3], [4]])
        subject.send(5)
        subject.send(completion: .finished)
        #expect(recorder.values == [[1, 2, 3], [4]])
        scheduler.advance()
        #expect(recorder.values == [[1, 2, 3], [4], [5]])
        #expect(recorder.completion == .finished)
        scheduler.advance(by: .seconds(60))
        #expect(recorder.completions.count == 1)
    }

    @Test func `an interval without values delivers no array`() {
        let scheduler = DispatchQueue.test
        let subject = Subject()
        let recorder = RecordingSubscriber<[Int], TestError>()
        subject.collect(.byTime(scheduler, .seconds(1))).subscribe(recorder)
        scheduler.advance(by: .seconds(5))
        #expect(recorder.values == [])
        subject.send(1)
        subject.send(2)
        scheduler.advance(by: .seconds(1))
        #expect(recorder.values == [[1, 2]])
        recorder.cancel()
    }

    @Test func `prefix(untilOutputFrom:) ends with the other publisher's first value, not with its completion`() {
        let (subject, other) = (Subject(), PassthroughSubject<String, Never>())
        let (stopped, spared) = (Recorder(), Recorder())
        subject.prefix(untilOutputFrom: other).subscribe(stopped)
        subject.prefix(untilOutputFrom: Empty<String, Never>()).subscribe(spared)
        subject.send(1)
        other.send("stop")
        subject.send(2)
        #expect(stopped.values == [1])
        #expect(stopped.completion == .finished)
        #expect(spared.values == [1, 2])
        subject.send(completion: .failure(TestError(1)))
        #expect(spared.completion == .failure(TestError(1)))
    }

    @Test func `drop(untilOutputFrom:) finishes if the other publisher finishes without a value`() {
        let (subject, other) = (Subject(), Subject())
        let recorder = Recorder()
        subject.drop(untilOutputFrom: other).subscribe(recorder)
        subject.send(1)
        other.send(0)
        subject.send(2)
        other.send(completion: .finished)
        subject.send(3)
        #expect(recorder.values == [2, 3])
        #expect(recorder.completion == nil)
        let never = Recorder()
        let silent = Subject()
        subject.drop(untilOutputFrom: silent).subscribe(never)
        silent.send(completion: .finished)
        #expect(never.completion == .finished)
        #expect(never.values == [])
    }
}
