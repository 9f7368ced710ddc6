import CombineCore

/// A handle that lets other threads send to a subject.
struct SubjectSender<Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Sendable because subjects may be called from several threads at the same time, which is what the requirements
    // check.
    private let subject: PassthroughSubject<Value, Failure>

    init(_ subject: PassthroughSubject<Value, Failure>) {
        self.subject = subject
    }

    func send(_ value: Value) {
        subject.send(value)
    }

    func send(completion: Subscribers.Completion<Failure>) {
        subject.send(completion: completion)
    }
}
