public import CombineCore

/// A subject that can be sent to but not subscribed to.
public struct SubjectProxy<S: Subject> {
    let subject: S

    /// Creates a proxy that hides the publisher side of a subject.
    public init(_ subject: S) {
        self.subject = subject
    }

    /// Sends a value.
    public func send(_ value: S.Output) {
        subject.send(value)
    }

    /// Completes the input. It ignores all values that are sent to it after that.
    public func send(completion: Subscribers.Completion<S.Failure>) {
        subject.send(completion: completion)
    }

    /// Passes a subscription to the subject, which requests values from it.
    public func send(subscription: any Subscription) {
        subject.send(subscription: subscription)
    }
}

extension SubjectProxy where S.Output == Void {
    /// Sends the event.
    public func send() {
        subject.send()
    }
}

extension Publisher {
    /// Sends all values of the publisher, and its completion, to an input. After the completion, the input ignores
    /// further values.
    public func subscribe<S: Subject>(_ proxy: SubjectProxy<S>) -> AnyCancellable
    where S.Output == Output, S.Failure == Failure {
        subscribe(proxy.subject)
    }
}
