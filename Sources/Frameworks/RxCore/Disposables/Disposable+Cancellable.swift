public import CombineCore

struct CancellingDisposable: Disposable {
    let cancellable: any Cancellable

    func dispose() {
        cancellable.cancel()
    }
}

extension Cancellable {
    /// Returns a disposable that retains this object and cancels it when disposed of.
    public func asDisposable() -> any Disposable {
        CancellingDisposable(cancellable: self)
    }
}

extension Disposable {
    /// Returns a token that disposes of this disposable when the token is cancelled or deallocated.
    public func asCancellable() -> AnyCancellable {
        AnyCancellable { dispose() }
    }
}
