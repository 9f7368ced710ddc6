/// Credentials that were verified, by their SHA-256 digests, until they expire. Bounded; the oldest entry is replaced first.
/// A value without a lock, for one event loop.
///
/// Only valid credentials are stored, so a client cannot replace the entries of others with invalid ones. The credentials
/// themselves are not stored.
struct CredentialCache {
    struct Entry {
        let principal: Principal
        let hash: PrincipalHash
        let expires: UnixTime
        fileprivate var place = 0
    }

    private let most: Int
    private var entries: [Digest: Entry] = [:]
    /// The digests in the order of their insertion, as a ring.
    private var ring: [Digest] = []
    private var next = 0

    init(most: Int) { self.most = max(1, most) }

    var count: Int { entries.count }

    /// Returns a credential that has not expired.
    func entry(for digest: Digest, at now: UnixTime) -> Entry? {
        guard let entry = entries[digest], now < entry.expires else { return nil }
        return entry
    }

    mutating func insert(_ digest: Digest, _ principal: Principal, _ hash: PrincipalHash, until expires: UnixTime) {
        var entry = Entry(principal: principal, hash: hash, expires: expires)
        if let place = entries[digest]?.place {
            entry.place = place
        } else if ring.count < most {
            entry.place = ring.count
            ring.append(digest)
        } else {
            entry.place = next
            entries[ring[next]] = nil
            ring[next] = digest
            next = (next + 1) % most
        }
        entries[digest] = entry
    }
}
