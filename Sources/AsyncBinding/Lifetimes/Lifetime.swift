/// How long an object lives, as something that can be waited for: it ends when its object lets go of it.
///
/// An object that is bound to holds one as a stored property and hands it out as ``LifetimeProviding/lifetime``; whoever
/// else keeps it makes the life longer than it is.
public final class Lifetime: Sendable {
    private let observers = CompositeDisposable()

    /// A lifetime that begins now.
    public init() {}

    deinit {
        observers.dispose()
    }

    /// Runs `action` when the lifetime ends.
    ///
    /// - Returns: What keeps the action from being run.
    @discardableResult
    public func observeEnded(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
        observers.add(action)
    }

    /// Disposes of `rhs` when the lifetime ends.
    ///
    /// - Returns: What takes the disposable out again, without disposing of it.
    @discardableResult
    public static func += (lhs: Lifetime, rhs: any Disposable) -> (any Disposable)? {
        lhs.observers.add(rhs)
    }

    /// How many wait for the end.
    var observerCount: Int { observers.count }
}

/// An object whose end can be waited for. What is bound to it ends with it, at once; what is bound to any other object ends
/// when the next value finds the object gone.
public protocol LifetimeProviding: AnyObject {
    /// The object's lifetime: a stored property that nobody else keeps.
    nonisolated var lifetime: Lifetime { get }
}
