/// Something that goes on until it is disposed of.
public protocol Disposable: Sendable {
    /// Whether it is over: because it was disposed of, or because it has ended by itself.
    var isDisposed: Bool { get }

    /// Ends it. Doing so again changes nothing. From any thread.
    func dispose()
}

extension Task: Disposable {
    /// Whether the task was cancelled.
    public var isDisposed: Bool { isCancelled }

    /// Cancels the task.
    public func dispose() {
        cancel()
    }
}
