/// Objects that are not kept alive, each with a value, by key.
///
/// The entries of released objects are removed when their number may have become that of the others. So the cost of an insertion does not
/// depend on the number of entries, on average.
package struct WeakTable<Key: Hashable, Object: AnyObject, Value> {
    private struct Entry {
        weak var object: Object?
        let value: Value
    }

    private static var leastLimit: Int { 64 }

    private var entries: [Key: Entry] = [:]
    /// The number of entries above which those of released objects are removed.
    private var limit = Self.leastLimit

    /// Creates a table without entries.
    package init() {}

    /// The object and the value of a key; nil if the object has been released.
    package subscript(key: Key) -> (object: Object, value: Value)? {
        guard let entry = entries[key], let object = entry.object else { return nil }
        return (object, entry.value)
    }

    /// The number of entries, with those of released objects that have not been removed.
    package var count: Int { entries.count }

    /// Adds an object, in place of another one with the same key.
    ///
    /// - Returns: The values of the entries that this has removed, so that a caller can release them outside of a lock.
    package mutating func insert(_ object: Object, _ value: Value, for key: Key) -> [Value] {
        let former = entries.updateValue(Entry(object: object, value: value), forKey: key)
        var removed = former.map { [$0.value] } ?? []
        guard entries.count > limit else { return removed }
        removed += entries.values.lazy.filter { $0.object == nil }.map(\.value)
        entries = entries.filter { $0.value.object != nil }
        limit = max(Self.leastLimit, 2 * entries.count)
        return removed
    }
}
