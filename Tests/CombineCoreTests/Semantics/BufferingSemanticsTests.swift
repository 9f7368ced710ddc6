import CombineCore
import CombineTesting
import Testing

/// Tests of `buffer` when it is full, and of `retry` with unmet demand.
@Suite struct BufferingSemanticsTests {
    typealias Recorder = RecordingSubscriber<Int, TestError>
    typealias Source = ScriptedPublisher<Int, TestError>

    @Test func `a buffer that is kept full requests its size, and one more value for each value it delivers`() {
        let source = Source(.unruly)
        let recorder = Recorder(demand: .none)
        source.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).subscribe(recorder)
        #expect(source.latest?.requests == [.max(3)])
        for value in 1...3 { source.send(value) }
        recorder.request(.max(2))
        #expect(recorder.values == [1, 2])
        #expect(source.latest?.requests.reduce(.none, +) == .max(5))
    }

    @Test func `a buffer by request makes an unlimited request`() {
        let source = Source(.unruly)
        source.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest).subscribe(Recorder(demand: .max(1)))
        #expect(source.latest?.requests == [.unlimited])
    }

    @Test func `a full buffer drops the newest or the oldest value`() {
        for (whenFull, kept) in [(Publishers.BufferingStrategy<TestError>.dropNewest, [1, 2]), (.dropOldest, [3, 4])] {
            let source = Source(.unruly)
            let recorder = Recorder(demand: .none)
            source.buffer(size: 2, prefetch: .byRequest, whenFull: whenFull).subscribe(recorder)
            for value in 1...4 { source.send(value) }
            recorder.request(.unlimited)
            #expect(recorder.values == kept)
        }
    }

    @Test func `a full buffer can fail after it has delivered its values`() {
        let source = Source(.unruly)
        let recorder = Recorder(demand: .none)
        source.buffer(size: 2, prefetch: .byRequest, whenFull: .customError { TestError(4) }).subscribe(recorder)
        for value in 1...3 { source.send(value) }
        #expect(source.latest?.cancellations == 1)
        #expect(recorder.completion == nil)
        recorder.request(.max(2))
        #expect(recorder.values == [1, 2])
        #expect(recorder.completion == .failure(TestError(4)))
    }

    @Test func `a failure does not wait for demand, but a finish waits for the buffered values`() {
        let source = Source(.unruly)
        let recorder = Recorder(demand: .max(1))
        source.buffer(size: 5, prefetch: .byRequest, whenFull: .dropNewest).subscribe(recorder)
        for value in 1...3 { source.send(value) }
        source.send(completion: .failure(TestError(1)))
        #expect(recorder.values == [1])
        #expect(recorder.completion == .failure(TestError(1)))
        let (other, patient) = (Source(.unruly), Recorder(demand: .max(1)))
        other.buffer(size: 5, prefetch: .byRequest, whenFull: .dropNewest).subscribe(patient)
        for value in 1...3 { other.send(value) }
        other.send(completion: .finished)
        patient.request(.max(2))
        #expect(patient.values == [1, 2, 3])
        #expect(patient.completion == nil)
        patient.request(.max(1))
        #expect(patient.completion == .finished)
    }

    @Test func `a value sent during a delivery is buffered until that delivery returns`() {
        let subject = PassthroughSubject<Int, TestError>()
        let recorder = Recorder(
            .init(onValue: { _, value in
                if value < 3 { subject.send(value + 1) }
                return .none
            }))
        subject.buffer(size: 5, prefetch: .byRequest, whenFull: .dropNewest).subscribe(recorder)
        subject.send(1)
        #expect(recorder.values == [1, 2, 3])
        #expect(recorder.violations == [])
    }

    @Test func `retry passes unmet demand to the next attempt`() {
        let source = Source()
        let recorder = Recorder(demand: .max(3))
        source.retry(2).subscribe(recorder)
        source.send(1)
        source.send(completion: .failure(TestError()))
        #expect(source.attachments.map(\.requests) == [[.max(3)], [.max(2)]])
        source.send(2)
        recorder.request(.max(1))
        source.send(completion: .failure(TestError()))
        #expect(source.attachments.count == 3)
        #expect(source.latest?.requests == [.max(2)])
        source.send(completion: .failure(TestError(9)))
        #expect(recorder.completion == .failure(TestError(9)))
        #expect(recorder.values == [1, 2])
    }

    @Test func `retry does not resubscribe after a finish or a cancellation`() {
        let source = Source(.unruly)
        source.retry(5).subscribe(Recorder())
        source.send(completion: .finished)
        #expect(source.attachments.count == 1)
        let recorder = Recorder()
        source.retry(5).subscribe(recorder)
        recorder.cancel()
        source.send(completion: .failure(TestError()))
        #expect(recorder.completions.isEmpty)
        #expect(source.attachments.dropFirst().allSatisfy { $0.requests.count <= 1 })
    }

    @Test func `retrying a source that fails immediately does not overflow the stack`() {
        var attempts = 0
        let recorder = Recorder()
        Deferred { () -> AnyPublisher<Int, TestError> in
            attempts += 1
            return attempts < 20_000
                ? Fail(error: TestError()).eraseToAnyPublisher()
                : Just(7).setFailureType(to: TestError.self).eraseToAnyPublisher()
        }.retry(30_000).subscribe(recorder)
        #expect(attempts == 20_000)
        #expect(recorder.values == [7])
    }
}
