/// A resource or activity that stays active until it is disposed of.
public protocol Disposable: Sendable {
    /// Whether the resource or activity ended, by itself or because it was disposed of.
    var isDisposed: Bool { get }

    /// Ends the resource or activity. Further calls have no effect. May be called from any thread.
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

/// A disposable whose ``Disposable/isDisposed`` stays false when it ends by itself.
protocol WaitableDisposable: Disposable {
    /// Returns when the activity has ended.
    func waitForEnd() async
}

extension Task: WaitableDisposable {
    func waitForEnd() async { _ = await result }
}
