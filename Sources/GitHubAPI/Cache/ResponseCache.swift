/// Answers that GitHub may confirm with a 304 instead of sending them again: bounded in number and in bytes, the one
/// that was not used for the longest time goes first.
package struct ResponseCache {
    /// What an answer depends on.
    package struct Key: Hashable {
        /// The whole address.
        package var url: String
        /// Whether the request carried a token: with one, private repositories are found too.
        package var isAuthenticated: Bool

        /// A key from its parts.
        package init(url: String, isAuthenticated: Bool) {
            self.url = url
            self.isAuthenticated = isAuthenticated
        }
    }

    /// A remembered answer.
    package struct Entry: Equatable {
        /// The validator (RFC 9110 §8.8.3), quotes and all.
        package var entityTag: String
        /// What the body said.
        package var page: RepositoryPage
        /// The size of the body that it was read from, which stands for the memory that it takes.
        package var byteCount: Int

        /// An entry from its parts.
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

    /// An empty cache; one with a limit of 0 remembers nothing.
    package init(entryLimit: Int, byteLimit: Int) {
        self.entryLimit = entryLimit
        self.byteLimit = byteLimit
    }

    /// How many answers are remembered.
    package var count: Int { slots.count }

    /// The remembered answer, which counts as used by this.
    package mutating func entry(for key: Key) -> Entry? {
        uses += 1
        slots[key]?.lastUse = uses
        return slots[key]?.entry
    }

    /// Remembers an answer in place of an older one with the same key. One that is larger than the whole cache is
    /// not remembered, and neither is the one that it replaces.
    package mutating func remember(_ entry: Entry, for key: Key) {
        forget(key)
        guard entry.byteCount <= byteLimit, entryLimit > 0 else { return }
        uses += 1
        slots[key] = Slot(entry: entry, lastUse: uses)
        byteCount += entry.byteCount
        while slots.count > entryLimit || byteCount > byteLimit, let oldest = leastRecentlyUsed() {
            forget(oldest)
        }
    }

    /// Forgets an answer.
    package mutating func forget(_ key: Key) {
        guard let slot = slots.removeValue(forKey: key) else { return }
        byteCount -= slot.entry.byteCount
    }

    /// Looks at every entry: there are a few hundred at the most, and each costs a request to GitHub to get in.
    private func leastRecentlyUsed() -> Key? {
        slots.min { $0.value.lastUse < $1.value.lastUse }?.key
    }
}
