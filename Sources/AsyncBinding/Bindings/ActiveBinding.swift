/// A binding under way. It ends with its sequence, with its target, when it is disposed of, and when it goes away.
public final class ActiveBinding: Disposable {
    /// Why a binding is over.
    public enum End: Sendable {
        /// The sequence has ended.
        case completed
        /// The sequence has thrown; the target keeps its last value.
        case failed(any Error)
        /// It was disposed of.
        case disposed
        /// The target's object is gone.
        case targetGone
    }

    /// Shared with the task that follows the sequence, which does not keep the binding.
    let progress = BindingProgress()

    /// A binding that is under way until the lifetime ends at the latest.
    init(lifetime: Lifetime?) {
        if let lifetime { progress.end(with: lifetime) }
    }

    deinit {
        progress.finish(.disposed)
    }

    /// Whether it is over, for whatever reason.
    public var isDisposed: Bool { progress.current != nil }

    /// What the sequence has thrown, if it has.
    public var failure: (any Error)? {
        if case .failed(let error) = progress.current { error } else { nil }
    }

    /// Why it is over; waits until it is.
    public var end: End {
        get async { await progress.end() }
    }

    /// Ends it. A value that is on its way is not assigned any more.
    public func dispose() {
        progress.finish(.disposed)
    }
}
