import Locking

/// A probe that watches objects without retaining them and reports which of them are alive.
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

    /// Creates a probe that watches no objects.
    public init() {}

    /// Watches `object` under `name` and returns it.
    @discardableResult
    public func watch<Object: AnyObject>(_ object: Object, as name: String) -> Object {
        watched.withLock { $0.append(Watched(object: object, name: name)) }
        return object
    }

    /// Returns a new object to be captured by a closure whose lifetime is tested.
    public func token(_ name: String) -> Token {
        watch(Token(), as: name)
    }

    /// The names of the objects that are alive, in the order in which they were watched.
    public var alive: [String] {
        watched.withLock { watched in watched.compactMap { $0.object == nil ? nil : $0.name } }
    }

    /// An object that can be captured.
    public final class Token: Sendable {
        /// Does nothing. Call it in a closure so that the closure captures the token.
        public func touch() {}
    }
}
