import Locking

/// The lifetime of an observation that ``observe(_:)`` has begun.
public final class ObserveToken: Sendable {
    private let state = Lock(false)

    init() {}

    /// Whether the observation has ended.
    var isCancelled: Bool { state.withLock { $0 } }

    /// Ends the observation.
    public func cancel() {
        state.withLock { $0 = true }
    }
}

extension ObserveToken: Hashable {
    /// Returns whether both are the token of the same observation.
    public static func == (lhs: ObserveToken, rhs: ObserveToken) -> Bool { lhs === rhs }

    /// Hashes the identity of the token.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension Set where Element == ObserveToken {
    /// Keeps a token.
    public mutating func store(_ token: ObserveToken) {
        insert(token)
    }
}
