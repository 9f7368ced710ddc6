import CombineCore

/// Lets other threads send into a subject.
struct Feeder<Value: Sendable, Failure: Error>: @unchecked Sendable {
    // Sendable because subjects may be sent to from several threads at once, which is what is tested here.
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
