/// A publisher that produces nothing until it is told to connect.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    /// Starts to produce; the stream stops when the returned token is cancelled.
    func connect() -> any Cancellable
}
