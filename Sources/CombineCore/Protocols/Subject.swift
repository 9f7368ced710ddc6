/// A publisher that outside code feeds by calling `send`.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Delivers `value` to the current subscribers, before the call returns.
    func send(_ value: Output)

    /// Ends the stream for present and future subscribers; everything sent later is ignored.
    func send(completion: Subscribers.Completion<Failure>)

    /// Hands over a subscription whose values this subject is fed with.
    func send(subscription: any Subscription)
}

extension Subject where Output == Void {
    /// Delivers an event that carries no value.
    @inlinable
    public func send() {
        send(())
    }
}
