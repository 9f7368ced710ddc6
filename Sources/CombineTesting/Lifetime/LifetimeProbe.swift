import Locking

/// Watches objects without keeping them, and says which of them are still there.
///
/// ```swift
/// let probe = LifetimeProbe()
/// probe.watch(subscriber, as: "the subscriber")
/// …
/// #expect(probe.alive == [])
/// ```
public final class LifetimeProbe: Sendable {
    private struct Watched {
        weak var object: AnyObject?
        let name: String
    }

    private let watched = Lock<[Watched]>([])

    /// Makes a probe that watches nothing yet.
    public init() {}

    /// Watches `object` under `name`, and returns it.
    @discardableResult
    public func watch<Object: AnyObject>(_ object: Object, as name: String) -> Object {
        watched.withLock { $0.append(Watched(object: object, name: name)) }
        return object
    }

    /// A new object to be captured by a closure whose lifetime is of interest.
    public func token(_ name: String) -> Token {
        watch(Token(), as: name)
    }

    /// The names of what is still there, in the order in which it was watched.
    public var alive: [String] {
        watched.withLock { watched in watched.compactMap { $0.object == nil ? nil : $0.name } }
    }

    /// Something to hold on to.
    public final class Token: Sendable {
        /// Does nothing: called in a closure so that the closure captures the token.
        public func touch() {}
    }
}
