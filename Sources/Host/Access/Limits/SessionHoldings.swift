/// The sessions of all clients with their stored sizes, against the quotas of sessions and bytes. A value without a lock.
///
/// A session is counted from its creation, or from the time at which it is found in the storage, until it ends, whether it
/// is in memory or not.
package struct SessionHoldings<ID: Hashable & Sendable>: Sendable {
    private struct Session {
        let keys: LimitKeys
        var bytes = 0
    }

    private var table: QuotaTable
    private var sessions: [ID: Session] = [:]
    /// The clients that have reached their limit of bytes.
    private var full: Set<LimitKey> = []

    package init(_ limits: QuotaTable.Limits) {
        table = QuotaTable(own: limits)
    }

    package var count: Int { sessions.count }

    /// Whether a client has reached its limit of bytes.
    package var isAnyFull: Bool { !full.isEmpty }

    /// The limits of each principal and address.
    package var limits: QuotaTable.Limits {
        get { table.own }
        set {
            table.own = newValue
            full = []
            for session in sessions.values { noteFull(session.keys) }
        }
    }

    package func held(_ resource: QuotaResource, by key: LimitKey) -> Int { table.held(resource, by: key) }

    /// Counts a new session.
    ///
    /// - Throws: The resource whose limit its client has reached, and the limit.
    package mutating func create(_ id: ID, for keys: LimitKeys) throws(Refusal) {
        guard keys.first != nil else { return }
        if let limit = table.limitReached(.bytes, by: keys) { throw Refusal(resource: .bytes, limit: limit) }
        if let limit = table.limitReached(.sessions, by: keys) { throw Refusal(resource: .sessions, limit: limit) }
        add(id, keys, bytes: 0)
    }

    /// Counts a session that was found in the storage, whatever the limits are. Ignored if it is counted already.
    package mutating func restore(_ id: ID, for keys: LimitKeys, bytes: Int) {
        guard keys.first != nil, sessions[id] == nil else { return }
        add(id, keys, bytes: bytes)
    }

    private mutating func add(_ id: ID, _ keys: LimitKeys, bytes: Int) {
        sessions[id] = Session(keys: keys, bytes: bytes)
        table.restore(1, of: .sessions, for: keys)
        table.restore(bytes, of: .bytes, for: keys)
        noteFull(keys)
    }

    /// Counts bytes that were added to a stored session.
    package mutating func grow(_ id: ID, by bytes: Int) {
        guard let session = sessions[id] else { return }
        setSize(of: id, session.bytes + bytes)
    }

    /// Counts the size of a session that was stored as a whole.
    package mutating func setSize(of id: ID, _ bytes: Int) {
        guard var session = sessions[id] else { return }
        table.release(session.bytes, of: .bytes, for: session.keys)
        table.restore(bytes, of: .bytes, for: session.keys)
        session.bytes = bytes
        sessions[id] = session
        noteFull(session.keys)
    }

    /// Removes a session that has ended. Ignored if it is not counted.
    package mutating func end(_ id: ID) {
        guard let session = sessions.removeValue(forKey: id) else { return }
        table.release(of: .sessions, for: session.keys)
        table.release(session.bytes, of: .bytes, for: session.keys)
        noteFull(session.keys)
    }

    /// Returns the refusal of a request that lets a session grow; nil if its client is within the limit of bytes.
    package func refusalToGrow(_ id: ID) -> Refusal? {
        guard !full.isEmpty, let session = sessions[id] else { return nil }
        return table.limitReached(.bytes, by: session.keys).map { Refusal(resource: .bytes, limit: $0) }
    }

    private mutating func noteFull(_ keys: LimitKeys) {
        for key in keys.all {
            if let limit = table.own.bytes, table.held(.bytes, by: key) >= limit {
                full.insert(key)
            } else {
                full.remove(key)
            }
        }
    }
}

extension SessionHoldings {
    /// The reason why a session is not created, or must not grow.
    package struct Refusal: Error, Equatable, Sendable {
        package let resource: QuotaResource
        package let limit: Int
    }
}
