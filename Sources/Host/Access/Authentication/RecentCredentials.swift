import HTTPModel

/// The last `Authorization` field of each of some connections with its result, so that a client that sends the same one with every
/// request is recognized by a comparison. A value without a lock, for one event loop.
///
/// A field is compared only with the last one of the same connection, and in constant time, so its time says nothing about the
/// credentials of others. Bounded: connections that share a place replace each other's fields, which are then verified in the usual way.
/// The bytes are erased when they are replaced.
struct RecentCredentials {
    // On the heap, because most places are empty.
    private final class Entry: Sendable {
        /// Not retained. A later connection whose peer has the same address in memory must send the same bytes.
        let peer: ObjectIdentifier
        let field: SecretBytes
        let authentication: Authentication
        let expires: UnixTime

        init(
            _ field: UnsafeRawBufferPointer, from peer: HTTPPeer, _ authentication: Authentication,
            _ expires: UnixTime
        ) {
            self.peer = ObjectIdentifier(peer)
            self.field = SecretBytes(copying: field)
            self.authentication = authentication
            self.expires = expires
        }
    }

    /// The number of connections that are remembered at most.
    static let places = 1024
    /// The length of the longest field that is remembered, so that all of them take at most a megabyte.
    static let maxLength = 1024

    /// Empty until the first credential.
    private var entries: [Entry?] = []

    /// The number of fields that are remembered.
    var count: Int { entries.reduce(0) { $0 + ($1 == nil ? 0 : 1) } }

    /// Returns the result for a field, if the connection has sent the same one before and it has not expired.
    func authentication(
        of field: UnsafeRawBufferPointer, from peer: HTTPPeer, at now: UnixTime
    ) -> Authentication? {
        guard !entries.isEmpty, let entry = entries[RecentCredentials.place(of: peer)],
            entry.peer == ObjectIdentifier(peer), entry.field.equals(field), now < entry.expires
        else { return nil }
        return entry.authentication
    }

    /// Remembers the result for a valid field until it expires.
    mutating func insert(
        _ field: UnsafeRawBufferPointer, from peer: HTTPPeer, _ authentication: Authentication,
        until expires: UnixTime, at now: UnixTime
    ) {
        // The clients of a proxy take turns on its connections.
        guard peer.proxy == nil, field.count <= RecentCredentials.maxLength, now < expires else { return }
        if entries.isEmpty { entries = Array(repeating: nil, count: RecentCredentials.places) }
        entries[RecentCredentials.place(of: peer)] = Entry(field, from: peer, authentication, expires)
    }

    private static func place(of peer: HTTPPeer) -> Int {
        // Fibonacci hashing: the addresses of objects differ in some of their bits only.
        let bits = UInt64(UInt(bitPattern: ObjectIdentifier(peer))) &* 0x9E37_79B9_7F4A_7C15
        return Int(bits >> 54)
    }
}
