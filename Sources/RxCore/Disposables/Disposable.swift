/// Something that goes on until it is disposed of: a subscription, a scheduled action, a resource.
public protocol Disposable {
    /// Ends it. Doing so again changes nothing.
    func dispose()
}

/// A disposable that knows whether it has been disposed of.
public protocol Cancelable: Disposable {
    /// Whether it has been disposed of.
    var isDisposed: Bool { get }
}

extension Disposable {
    /// Leaves this disposable to `bag`, which disposes of it when it goes away.
    public func disposed(by bag: DisposeBag) {
        bag.insert(self)
    }
}
