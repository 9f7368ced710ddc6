import Locking

/// The keys of the parts that register while a machine is wired: the prefix of the scope, the name of the part, and its number
/// among the parts with that name.
struct PartKeys {
    /// The length of a prefix in bytes at which the sources of operators are not captured any more.
    private static let maxPrefixLength = 512
    /// The name under which the roots of members are counted.
    private static let root = "@"

    /// The prefix of new keys; that of a ``StateScope`` while it is current.
    private var prefix = ""
    /// The number of keys with each name outside of scopes, and inside of them.
    private var counts: [String: Int] = [:]
    private var scopedCounts: [String: Int] = [:]
    /// The prefixes of the scopes that may have parts.
    private var usedScopes: Set<String> = []

    /// Returns the key of the next part with a name.
    mutating func next(_ name: String) -> String {
        let name = prefix + name
        let number = count(of: name)
        setCount(number + 1, of: name)
        return "\(name).\(number)"
    }

    private func count(of name: String) -> Int { (prefix.isEmpty ? counts : scopedCounts)[name, default: 0] }

    private mutating func setCount(_ count: Int, of name: String) {
        if prefix.isEmpty { counts[name] = count } else { scopedCounts[name] = count }
    }

    /// Returns the key of a part of the current scope.
    ///
    /// - Parameter text: What ``next(_:)`` has returned, with a name after it for a member.
    func make(_ text: String) -> PartKey {
        // The keys of scopes contain numbers of values, of which there may be any number.
        prefix.isEmpty ? .shared(text) { PartKey(text) } : PartKey(text)
    }

    /// Returns the key of a part of the current scope with a codec.
    func make<State>(_ text: String, _ codec: StateCodec<State>) -> CodedKey<State> {
        prefix.isEmpty ? PartKey.shared(text) { CodedKey(text, codec) } : CodedKey(text, codec)
    }

    /// Returns the key of the next object that has registered itself when it was created.
    ///
    /// Such objects are numbered anew after each root of members: another property of a store, which is created before, then has no
    /// effect on the keys of what `polish` creates.
    mutating func nextCreated(_ name: String, _ mark: String) -> String {
        next("\(name)\(PartKeys.root)\(count(of: prefix + PartKeys.root))\(mark)")
    }

    /// Counts a root of members.
    mutating func countRoot() {
        let root = prefix + PartKeys.root
        setCount(count(of: root) + 1, of: root)
    }

    /// Shares the numbers outside of scopes with other sessions of the machine, which are the same when it is wired.
    mutating func share() {
        guard !counts.isEmpty, counts.count <= PartKeys.maxCount else { return }
        counts = PartKeys.known.withLock { known in
            if let index = known.firstIndex(of: counts) { return known[index] }
            if known.count < PartKeys.maxCount { known.insert(counts) }
            return counts
        }
    }

    static let known = Lock<Set<[String: Int]>>([])
    /// The maximum number of shared ones, and of names in each; see ``PartKey``.
    private static let maxCount = 1000

    /// Returns whether a key belongs to the current scope, and not to one inside of it.
    func isInScope(_ key: String) -> Bool {
        key.hasPrefix(prefix) && !key.utf8.dropFirst(prefix.utf8.count).contains(UInt8(ascii: "/"))
    }

    /// Whether new keys belong to a scope.
    var isInsideScope: Bool { !prefix.isEmpty }

    /// Whether the current scope is inside of so many others that it gets no more scopes.
    // A stream that subscribes to itself would have keys without end.
    var isTooDeep: Bool { prefix.utf8.count >= PartKeys.maxPrefixLength }

    /// Makes a scope the current one.
    ///
    /// - Returns: The prefix of the former scope, for ``leave(to:)``.
    mutating func enter(_ scope: String) -> String {
        usedScopes.insert(scope)
        defer { prefix = scope }
        return prefix
    }

    /// Makes a former scope the current one again.
    mutating func leave(to outer: String) { prefix = outer }

    /// Forgets the keys of a scope, which are about to be used again.
    ///
    /// - Returns: Whether the scope may have parts.
    mutating func restart(_ scope: String) -> Bool {
        guard usedScopes.contains(scope) else { return false }
        for name in scopedCounts.keys where name.hasPrefix(scope) { scopedCounts[name] = nil }
        // The scopes inside of it are made anew.
        usedScopes = usedScopes.filter { !$0.hasPrefix(scope) }
        return true
    }
}
