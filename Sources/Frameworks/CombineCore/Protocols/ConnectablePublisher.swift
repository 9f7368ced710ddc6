/// A publisher that produces nothing until `connect` is called.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    /// Starts production. Cancelling the returned token stops it.
    func connect() -> any Cancellable
}
