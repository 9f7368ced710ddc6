import CombineCore
import CombineTesting
import Dispatch
import Testing

/// Tests of a subject that one thread ends while another subscribes to it.
@Suite struct SubjectRaceTests {
    typealias Recorder = RecordingSubscriber<Int, TestError>

    /// Subscribes on this thread while another one ends the stream, and returns the violations of the protocol.
    private func endWhileSubscribing(
        _ subject: some Subject<Int, TestError>, _ end: @escaping @Sendable () -> Void
    ) -> [Violation] {
        let recorder = Recorder()
        onAnotherThread(end) { subject.subscribe(recorder) }
        #expect(recorder.completion == .finished)
        #expect(recorder.subscriptions == 1)
        return recorder.violations
    }

    @Test func `the completion of a passthrough subject waits until the subscription has been delivered`() {
        for _ in 0..<300 {
            let subject = Shared(PassthroughSubject<Int, TestError>())
            #expect(endWhileSubscribing(subject.value) { subject.value.send(completion: .finished) } == [])
        }
    }

    @Test func `the completion of a current value subject waits until the subscription has been delivered`() {
        for _ in 0..<300 {
            let subject = Shared(CurrentValueSubject<Int, TestError>(0))
            #expect(endWhileSubscribing(subject.value) { subject.value.send(completion: .finished) } == [])
        }
    }
}

extension RecordingSubscriber {
    /// The number of subscriptions received.
    var subscriptions: Int {
        events.count { event in
            if case .subscription = event { true } else { false }
        }
    }
}

/// Passes an object that is thread-safe but not marked `Sendable` to another thread.
struct Shared<Object>: @unchecked Sendable {
    // Sendable because the tests wrap only objects that are documented as thread-safe.
    let value: Object

    init(_ value: Object) {
        self.value = value
    }
}
