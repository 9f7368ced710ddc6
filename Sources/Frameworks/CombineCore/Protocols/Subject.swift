/// A publisher that other code feeds by calling `send`.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Delivers `value` to the current subscribers before it returns.
    func send(_ value: Output)

    /// Ends the stream for current and future subscribers. Everything sent later is ignored.
    func send(completion: Subscribers.Completion<Failure>)

    /// Sends a subscription that feeds this subject.
    func send(subscription: any Subscription)
}

extension Subject where Output == Void {
    /// Delivers an event that carries no value.
    @inlinable
    public func send() {
        send(())
    }
}
