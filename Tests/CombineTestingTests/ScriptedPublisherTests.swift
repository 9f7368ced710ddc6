import CombineCore
import CombineTesting
import Testing

@Suite struct ScriptedPublisherTests {
    typealias Source = ScriptedPublisher<Int, TestError>

    @Test func `it counts requests, returned demand and sent values`() {
        let source = Source()
        let recorder = RecordingSubscriber<Int, TestError>(.init(demand: .max(2), onValue: { _, _ in .max(3) }))
        source.subscribe(recorder)
        #expect(source.latest?.requests == [.max(2)])
        #expect(source.send(1) == .max(3))
        #expect(source.latest?.outstanding == .max(4))
    }

    @Test func `it offers a value only if there is demand`() {
        let source = Source()
        let recorder = RecordingSubscriber<Int, TestError>(demand: .max(1))
        source.subscribe(recorder)
        #expect(source.latest?.offer(1) == true)
        #expect(source.latest?.offer(2) == false)
        #expect(recorder.values == [1])
    }

    @Test func `an orderly one releases its subscriber at the end and on cancellation`() {
        let source = Source()
        let ended = RecordingSubscriber<Int, TestError>()
        source.subscribe(ended)
        source.send(completion: .finished)
        #expect(source.latest?.subscriber == nil)
        #expect(source.send(1) == nil)
        let cancelled = RecordingSubscriber<Int, TestError>()
        source.subscribe(cancelled)
        cancelled.cancel()
        #expect(source.latest?.subscriber == nil)
        #expect(source.attachments.map(\.cancellations) == [0, 1])
        #expect(ended.values + cancelled.values == [])
    }

    @Test func `an unruly one continues`() {
        let source = Source(.unruly)
        let recorder = RecordingSubscriber<Int, TestError>()
        source.subscribe(recorder)
        source.send(completion: .finished)
        source.send(1)
        #expect(recorder.violations == [.valueAfterCompletion])
    }

    @Test func `it reacts to requests`() {
        let source = Source(onRequest: { attachment, demand in
            for value in 0..<(demand.max ?? 0) { attachment.send(value) }
        })
        let recorder = RecordingSubscriber<Int, TestError>(demand: .max(3))
        source.subscribe(recorder)
        #expect(recorder.values == [0, 1, 2])
    }
}
