/// The number of sessions, streams and stored bytes of each principal and address, and their limits. A value without a lock,
/// so a shared table must be protected by its owner.
package struct QuotaTable: Sendable {
    /// The maximum of each resource; nil for no limit.
    package struct Limits: Sendable, Equatable {
        package var sessions: Int?
        package var streams: Int?
        package var bytes: Int?

        package init(sessions: Int? = nil, streams: Int? = nil, bytes: Int? = nil) {
            self.sessions = sessions
            self.streams = streams
            self.bytes = bytes
        }

        subscript(resource: QuotaResource) -> Int? {
            switch resource {
            case .sessions: sessions
            case .streams: streams
            case .bytes: bytes
            }
        }
    }

    /// The reason why nothing is reserved.
    package enum Refusal: Error, Equatable, Sendable {
        /// The requester has reached its own limit.
        case tooMany(limit: Int)
        /// The server is nearly full, and the requester has more than an even share.
        case overShare
    }

    private struct Counts {
        var sessions = 0
        var streams = 0
        var bytes = 0

        subscript(resource: QuotaResource) -> Int {
            get {
                switch resource {
                case .sessions: sessions
                case .streams: streams
                case .bytes: bytes
                }
            }
            set {
                switch resource {
                case .sessions: sessions = newValue
                case .streams: streams = newValue
                case .bytes: bytes = newValue
                }
            }
        }

        var isEmpty: Bool { sessions == 0 && streams == 0 && bytes == 0 }
    }

    /// The limits of each principal and address. What is held already is not affected by a change.
    package var own: Limits
    private var holders: [LimitKey: Counts] = [:]

    /// Creates an empty table with the limits of each principal and address.
    package init(own: Limits) {
        self.own = own
    }

    /// The number of principals and addresses that hold something.
    package var count: Int { holders.count }

    package func held(_ resource: QuotaResource, by key: LimitKey) -> Int { holders[key]?[resource] ?? 0 }

    /// Returns the limit of a resource if a requester has reached it; nil if it has not.
    package func limitReached(_ resource: QuotaResource, by keys: LimitKeys) -> Int? {
        guard let limit = own[resource] else { return nil }
        return keys.all.contains { held(resource, by: $0) >= limit } ? limit : nil
    }

    /// Releases an amount that was counted for the same keys.
    package mutating func release(_ amount: Int = 1, of resource: QuotaResource, for keys: LimitKeys) {
        change(resource, by: -amount, for: keys)
    }

    /// Counts an amount, whatever the limits are.
    package mutating func restore(_ amount: Int = 1, of resource: QuotaResource, for keys: LimitKeys) {
        change(resource, by: amount, for: keys)
    }

    private mutating func change(_ resource: QuotaResource, by amount: Int, for keys: LimitKeys) {
        for key in keys.all {
            var counts = holders[key] ?? Counts()
            counts[resource] = QuotaTable.sum(counts[resource], amount)
            holders[key] = counts.isEmpty ? nil : counts
        }
    }

    private static func sum(_ count: Int, _ amount: Int) -> Int {
        let (sum, overflow) = count.addingReportingOverflow(amount)
        return overflow ? .max : max(0, sum)
    }
}
