/// A cache of responses that GitHub can revalidate with a 304 instead of sending them again. It is bounded in entries
/// and bytes and evicts the least recently used entry first.
package struct ResponseCache {
    /// The request properties that a response depends on.
    package struct Key: Hashable {
        /// The complete URL.
        package var url: String
        /// Whether the request carried a token. With a token, results may include private repositories.
        package var isAuthenticated: Bool

        /// Creates a key from its parts.
        package init(url: String, isAuthenticated: Bool) {
            self.url = url
            self.isAuthenticated = isAuthenticated
        }
    }

    /// A cached response.
    package struct Entry: Equatable {
        /// The entity tag (RFC 9110 §8.8.3), including its quotes.
        package var entityTag: String
        /// The page that the body contained.
        package var page: RepositoryPage
        /// The size of the body, as an estimate of the memory that the page occupies.
        package var byteCount: Int

        /// Creates an entry from its parts.
        package init(entityTag: String, page: RepositoryPage, byteCount: Int) {
            self.entityTag = entityTag
            self.page = page
            self.byteCount = byteCount
        }
    }

    private struct Slot {
        var entry: Entry
        var lastUse: UInt64
    }

    private var slots: [Key: Slot] = [:]
    private var uses: UInt64 = 0
    private let entryLimit: Int
    private let byteLimit: Int
    /// The sum of the entries' sizes.
    package private(set) var byteCount = 0

    /// Creates an empty cache. With a limit of 0, it stores nothing.
    package init(entryLimit: Int, byteLimit: Int) {
        self.entryLimit = entryLimit
        self.byteLimit = byteLimit
    }

    /// The number of cached responses.
    package var count: Int { slots.count }

    /// Returns the cached response and marks it as used.
    package mutating func entry(for key: Key) -> Entry? {
        uses += 1
        slots[key]?.lastUse = uses
        return slots[key]?.entry
    }

    /// Stores a response and replaces an older one with the same key. A response that is larger than the whole cache is
    /// not stored, and the one that it replaces is removed.
    package mutating func remember(_ entry: Entry, for key: Key) {
        forget(key)
        guard entry.byteCount <= byteLimit, entryLimit > 0 else { return }
        uses += 1
        slots[key] = Slot(entry: entry, lastUse: uses)
        byteCount += entry.byteCount
        // A linear search is enough: a cache has a few hundred entries at most, and every insertion costs a request to
        // GitHub.
        while slots.count > entryLimit || byteCount > byteLimit,
            let oldest = slots.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            forget(oldest.key)
        }
    }

    /// Removes a response.
    package mutating func forget(_ key: Key) {
        guard let slot = slots.removeValue(forKey: key) else { return }
        byteCount -= slot.entry.byteCount
    }
}
