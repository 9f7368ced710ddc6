/// The position of a client in all sessions of a combined stream: the id of its events.
///
/// The text has an entry for each session, in the order of the URL, with `~` between two of them: a position as single streams have
/// it (`VgFTtm.3`), the first six characters of the session's id and `!` after the session's `end`, or nothing.
///
/// A client adds and removes sessions by reconnecting with another URL, so an entry is not matched by its place: the epoch of a
/// position belongs to one session only, with the same certainty as on a single stream.
struct CombinedPosition {
    /// The maximum number of sessions, and of entries.
    static let maxEntries = 64
    /// The maximum size of the text: an epoch, a dot and 20 digits for each session, and the separators.
    static let maxBytes = maxEntries * (Epoch.textCount + 22) - 1
    private static let separator = UInt8(ascii: "~")
    private static let endMark = UInt8(ascii: "!")

    private(set) var text: [UInt8] = []
    /// The end of each entry in the text.
    private var ends: [UInt16] = []
    private let sessionCount: Int
    /// The sessions whose entry is their own, as a bit each. The other entries are still those of the client.
    private var own: UInt64 = 0

    /// Creates the position of a client before the first event.
    ///
    /// - Parameters:
    ///   - sessionCount: The number of sessions, from 1 to ``maxEntries``.
    ///   - earlier: The position that the client has sent. Its entries are kept until it is known which of them are still of use, so
    ///     that a client that is disconnected early does not lose its position in the other sessions.
    init(sessionCount: Int, after earlier: [UInt8]) {
        assert(
            (1...CombinedPosition.maxEntries).contains(sessionCount),
            "expected 1 to \(CombinedPosition.maxEntries) sessions, got \(sessionCount)")
        self.sessionCount = sessionCount
        var kept = CombinedPosition.entries(of: earlier).filter { StreamPosition($0) != nil }[...]
        for place in 0..<max(sessionCount, min(kept.count, CombinedPosition.maxEntries)) {
            if place > 0 { text.append(CombinedPosition.separator) }
            if let entry = kept.popFirst() { text.append(contentsOf: entry) }
            ends.append(UInt16(text.count))
        }
    }

    /// Sets the client's position in a session.
    mutating func set(_ position: [UInt8], at place: Int) {
        assert(place < sessionCount, "expected one of \(sessionCount) sessions, got \(place)")
        if own & 1 << place == 0 { claim(position, at: place) }
        replace(place, with: position)
    }

    /// Notes that the client has received the end of a session.
    ///
    /// - Parameter id: The text of the session's id.
    mutating func end(_ id: ArraySlice<UInt8>, at place: Int) {
        set(id.prefix(Epoch.textCount) + [CombinedPosition.endMark], at: place)
    }

    /// Makes an entry the session's own. The client's entry that was there moves to the place of the one that the session replaces,
    /// or to the end.
    private mutating func claim(_ position: [UInt8], at place: Int) {
        assert(own & 1 << place == 0, "expected an entry of the client at \(place)")
        let epoch = position.prefix(Epoch.textCount)
        let replaced = ends.indices.first { own & 1 << $0 == 0 && text[range(of: $0)].starts(with: epoch) }
        let moved = Array(text[range(of: place)])
        if let replaced {
            if replaced != place { replace(replaced, with: moved) }
        } else if !moved.isEmpty, ends.count < CombinedPosition.maxEntries {
            text.append(CombinedPosition.separator)
            text.append(contentsOf: moved)
            ends.append(UInt16(text.count))
        }
        own |= 1 << place
        guard own.nonzeroBitCount == sessionCount, ends.count > sessionCount else { return }
        // Nobody has claimed the rest: its sessions are no longer part of the stream.
        text.removeLast(text.count - Int(ends[sessionCount - 1]))
        ends.removeLast(ends.count - sessionCount)
    }

    private mutating func replace(_ place: Int, with entry: [UInt8]) {
        let range = range(of: place)
        text.replaceSubrange(range, with: entry)
        // A version rarely gets another digit.
        guard entry.count != range.count else { return }
        for index in place..<ends.count { ends[index] = UInt16(Int(ends[index]) + entry.count - range.count) }
        assert(ends.last.map { Int($0) } == text.count, "expected the last entry to end with \(text.count) bytes")
    }

    private func range(of place: Int) -> Range<Int> {
        (place == 0 ? 0 : Int(ends[place - 1]) + 1)..<Int(ends[place])
    }
}

// What a client has sent.
extension CombinedPosition {
    private static func entries(of text: some Collection<UInt8>) -> [ArraySlice<UInt8>] {
        // Each session's loop reads the text. No server has sent a longer one.
        text.count <= maxBytes ? Array(text).split(separator: separator) : []
    }

    /// Returns the position in the session with an epoch; nil if the text has none, or several that contradict each other.
    static func position(in text: some Collection<UInt8>, of epoch: Epoch) -> StreamPosition? {
        let found = entries(of: text).compactMap { StreamPosition($0) }.filter { $0.epoch == epoch }
        guard let first = found.first, found.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    /// Returns whether a client has received the ends of all sessions.
    static func hasEnded(_ sessions: [SessionID], in text: some Collection<UInt8>) -> Bool {
        let entries = entries(of: text)
        return sessions.allSatisfy { id in
            let mark = id.text.utf8.prefix(Epoch.textCount) + [endMark]
            return entries.contains { $0.elementsEqual(mark) }
        }
    }
}
