package import HTTPModel
import Locking

/// The buckets of one rate, which all event loops share: a client has one bucket, wherever its requests arrive.
package final class RateTable: Sendable {
    package struct Result: Sendable {
        package let limit: RateLimit
        package let decision: RateDecision
    }

    // Each bucket is in one part, so that loops hardly ever wait for each other. A lock is held for one lookup.
    private let parts: [Lock<BucketTable>]

    /// Creates a table with a maximum number of buckets.
    package init(_ limit: RateLimit, most: Int = 65_536) {
        let count = 64
        parts = (0..<count).map { _ in Lock(BucketTable(limit, most: most / count)) }
    }

    package var count: Int { parts.reduce(0) { $0 + $1.withLock { $0.count } } }

    /// Replaces the rate. Each bucket stays as full as it is, in proportion.
    package func replace(_ limit: RateLimit) {
        for part in parts { part.withLock { $0.replace(limit) } }
    }

    /// Takes tokens from all buckets of a requester, or from none of them.
    ///
    /// The clocks of loops may differ by what one of them is busy for. Nothing flows into a bucket until the latest of them.
    ///
    /// - Returns: The strictest result; nil if the requester is not limited.
    package func take(_ count: Int = 1, for keys: LimitKeys, at now: MonotonicTime) -> Result? {
        guard let key = keys.first else { return nil }
        let first = take(count, for: key, at: now)
        guard first.decision.isAllowed, let second = keys.second else { return first }
        let other = take(count, for: second, at: now)
        guard !other.decision.isAllowed else {
            return other.decision.remaining < first.decision.remaining ? other : first
        }
        // The request is rejected, so it costs nothing.
        part(of: key).withLock { $0.giveBack(count, to: key) }
        return other
    }

    /// Returns the result of one more request, which is not counted. Nil if it is permitted.
    package func refusal(of keys: LimitKeys, at now: MonotonicTime) -> Result? {
        guard let key = keys.first else { return nil }
        return part(of: key).withLock { table in
            table.refusal(of: key, at: now).map { Result(limit: table.limit, decision: $0) }
        }
    }

    private func take(_ count: Int, for key: LimitKey, at now: MonotonicTime) -> Result {
        part(of: key).withLock { table in
            Result(limit: table.limit, decision: table.take(count, for: key, at: now))
        }
    }

    private func part(of key: LimitKey) -> Lock<BucketTable> {
        // The hash of a principal is random, and clients can neither choose nor know it. Other bits than those that its table uses.
        let bits =
            switch key {
            case .principal(let hash): UInt64(truncatingIfNeeded: hash.bits >> 64)
            case .address(let client): UInt64(UInt(bitPattern: client.hashValue))
            }
        return parts[Int(bits % UInt64(parts.count))]
    }
}
