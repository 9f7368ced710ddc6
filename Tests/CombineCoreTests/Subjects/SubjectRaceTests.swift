import CombineCore
import CombineTesting
import Dispatch
import Testing

/// What happens when threads meet at a subject.
@Suite struct SubjectRaceTests {
    typealias Recorder = RecordingSubscriber<Int, TestError>

    /// Subscribes on this thread while another one ends the stream; says what was wrong.
    private func endWhileSubscribing(
        _ subject: some Subject<Int, TestError>, _ end: @escaping @Sendable () -> Void
    ) -> [Violation] {
        let recorder = Recorder()
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            end()
            done.signal()
        }
        subject.subscribe(recorder)
        done.wait()
        #expect(recorder.completion == .finished)
        #expect(recorder.subscriptions == 1)
        return recorder.violations
    }

    @Test func `an ending waits until the subscription of a passthrough subject has been handed over`() {
        for _ in 0..<300 {
            let subject = Shared(PassthroughSubject<Int, TestError>())
            #expect(endWhileSubscribing(subject.value) { subject.value.send(completion: .finished) } == [])
        }
    }

    @Test func `an ending waits until the subscription of a current value subject has been handed over`() {
        for _ in 0..<300 {
            let subject = Shared(CurrentValueSubject<Int, TestError>(0))
            #expect(endWhileSubscribing(subject.value) { subject.value.send(completion: .finished) } == [])
        }
    }
}

extension RecordingSubscriber {
    /// How many subscriptions came.
    var subscriptions: Int {
        events.count { event in
            if case .subscription = event { true } else { false }
        }
    }
}

/// Lends an object that may be used by several threads, but is not marked so, to another thread.
struct Shared<Object>: @unchecked Sendable {
    // Sendable because the objects that the tests put in say in their documentation that threads may share them.
    let value: Object

    init(_ value: Object) {
        self.value = value
    }
}
