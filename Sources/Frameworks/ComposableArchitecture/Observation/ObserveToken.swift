import Locking

/// The lifetime of an observation that ``observe(_:)`` has begun. It ends when the token is cancelled or released.
public final class ObserveToken: Sendable {
    private let state = Lock(false)
    private let onRemove: @Sendable () -> Void

    /// Creates the token of an observation.
    ///
    /// - Parameter onRemove: Called once, when the token is cancelled or released.
    public init(onRemove: @escaping @Sendable () -> Void = {}) {
        self.onRemove = onRemove
    }

    deinit { cancel() }

    var isCancelled: Bool { state.withLock { $0 } }

    /// Ends the observation.
    public func cancel() {
        let isFirst = state.withLock { isCancelled in
            defer { isCancelled = true }
            return !isCancelled
        }
        if isFirst { onRemove() }
    }

    /// Keeps the token in a collection, for as long as that exists.
    public func store(in tokens: inout some RangeReplaceableCollection<ObserveToken>) {
        tokens.append(self)
    }

    /// Keeps the token in a set, for as long as that exists.
    public func store(in tokens: inout Set<ObserveToken>) {
        tokens.insert(self)
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
