/// An active binding. It ends with its sequence or its target, when it is disposed of, and when it is deallocated.
public final class ActiveBinding: Disposable {
    /// The reason why a binding ended.
    public enum End: Sendable {
        /// The sequence ended.
        case completed
        /// The sequence threw an error. The target keeps its last value.
        case failed(any Error)
        /// The binding was disposed of.
        case disposed
        /// The target's object was deallocated.
        case targetGone
    }

    /// Shared with the task that iterates over the sequence, so that the task does not retain the binding.
    let progress = BindingProgress()

    /// Creates a binding that ends at the latest when the lifetime ends.
    init(lifetime: Lifetime?) {
        if let lifetime { progress.end(with: lifetime) }
    }

    deinit {
        progress.finish(.disposed)
    }

    /// Whether the binding has ended for any reason.
    public var isDisposed: Bool { progress.current != nil }

    /// The error that the sequence threw, if any.
    public var failure: (any Error)? {
        if case .failed(let error) = progress.current { error } else { nil }
    }

    /// The reason why the binding ended. Reading it waits for the end.
    public var end: End {
        get async { await progress.end() }
    }

    /// Ends the binding. A value that is still in flight is not assigned.
    public func dispose() {
        progress.finish(.disposed)
    }
}
