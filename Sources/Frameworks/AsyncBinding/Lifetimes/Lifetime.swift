/// A token for the lifetime of an object. It notifies its observers when the object releases it.
///
/// The target of a binding stores one as a property and returns it as ``LifetimeProviding/lifetime``. Any other strong
/// reference to it delays the notification.
public final class Lifetime: Sendable {
    private let observers = CompositeDisposable()

    /// Creates a lifetime that begins now.
    public init() {}

    deinit {
        observers.dispose()
    }

    /// Runs `action` when the lifetime ends.
    ///
    /// - Returns: A disposable that removes the action without running it.
    @discardableResult
    public func observeEnded(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        observers.add(action)
    }

    /// Disposes of `rhs` when the lifetime ends.
    ///
    /// - Returns: A disposable that removes `rhs` without disposing of it.
    @discardableResult
    public static func += (lhs: Lifetime, rhs: any Disposable) -> (any Disposable)? {
        lhs.observers.add(rhs)
    }

    var observerCount: Int { observers.count }
}

/// An object whose deallocation can be observed.
///
/// A binding to such an object ends immediately when the object is deallocated. A binding to any other object ends when
/// the next value arrives after that.
public protocol LifetimeProviding: AnyObject {
    /// The lifetime of the object: a stored property to which no other object keeps a strong reference.
    nonisolated var lifetime: Lifetime { get }
}
