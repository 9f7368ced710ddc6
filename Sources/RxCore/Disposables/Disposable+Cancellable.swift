public import CombineCore

/// Cancels something of Combine's when it is disposed of.
struct CancellingDisposable: Disposable {
    let cancellable: any Cancellable

    func dispose() {
        cancellable.cancel()
    }
}

extension Cancellable {
    /// A disposable that cancels this when it is disposed of, and keeps it until then.
    public func asDisposable() -> any Disposable {
        CancellingDisposable(cancellable: self)
    }
}

extension Disposable {
    /// A token that disposes of this when it is cancelled, and at the latest when it goes away.
    public func asCancellable() -> AnyCancellable {
        AnyCancellable { dispose() }
    }
}
