public import CombineCore

/// A subject that can be sent to and not subscribed to.
public struct SubjectProxy<S: Subject> {
    let subject: S

    /// Hides the publisher side of a subject.
    public init(_ subject: S) {
        self.subject = subject
    }

    /// Sends a value.
    public func send(_ value: S.Output) {
        subject.send(value)
    }

    /// Ends the input: it ignores everything that is sent to it from then on.
    public func send(completion: Subscribers.Completion<S.Failure>) {
        subject.send(completion: completion)
    }

    /// Hands a subscription to the subject, which asks it for values.
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
    /// Sends everything that the publisher sends to an input, its completion included: a publisher that ends silences
    /// the input for good.
    public func subscribe<S: Subject>(_ proxy: SubjectProxy<S>) -> AnyCancellable
    where S.Output == Output, S.Failure == Failure {
        subscribe(proxy.subject)
    }
}
