/// A subscription, scheduled action or resource that stays active until it is disposed of.
public protocol Disposable {
    /// Ends the subscription, action or resource. Further calls have no effect.
    func dispose()
}

/// A disposable that reports whether it was disposed of.
public protocol Cancelable: Disposable {
    /// Whether `dispose()` was called.
    var isDisposed: Bool { get }
}

extension Disposable {
    /// Adds this disposable to `bag`, which disposes of it when the bag is deallocated.
    public func disposed(by bag: DisposeBag) {
        bag.insert(self)
    }
}
