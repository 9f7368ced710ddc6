/// The most recent changes of a session, encoded as the events that its streams send. The versions are consecutive and
/// end with the session's version.
///
/// The history is bounded by a number of changes and of bytes. The newest change is always kept, so that streams that
/// keep up never miss one; the next change brings the history back within its bounds. An empty history allocates
/// nothing.
///
/// Events are stored one after another in a ring of bytes. A large change is stored outside the ring: it shares its
/// values with the outputs and needs no copy of them.
struct History {
    /// The bounds of a history.
    struct Limits {
        /// The maximum size of the ring, in bytes.
        // Positions have 32 bits and wrap around. With a ring of at most half of their range, and events below
        // `SharedText.threshold`, no two positions can be confused.
        static let maxBytes = 1 << 30

        let changes: Int
        let bytes: Int

        init(changes: Int, bytes: Int) {
            self.changes = changes
            self.bytes = min(bytes, Limits.maxBytes)
        }
    }

    /// The version of the newest change.
    private(set) var newest: UInt64 = 0
    /// The number of changes.
    private(set) var count = 0
    /// The bytes of the events. Its size is a power of two, so that positions map to indices with a mask and survive
    /// wrapping around 32 bits.
    private var ring: [UInt8] = []
    /// The end position of each change, in a separate ring. Positions count all bytes that were ever appended, modulo
    /// 2³².
    private var ends: [UInt32] = []
    private var firstEnd = 0
    /// The position where the oldest change begins.
    private var start: UInt32 = 0
    /// The position where the newest change ends.
    private var end: UInt32 = 0
    /// The changes outside the ring, with their versions.
    private var larges: [(version: UInt64, change: LargeChange)] = []

    init() {}

    /// Creates an empty history in which the next change gets the version after a given one.
    init(beginningAfter version: UInt64) {
        newest = version
    }

    /// The size of the changes, in bytes, including those outside the ring.
    var byteCount: Int { larges.reduce(ringByteCount) { $0 + $1.change.text.count } }

    private var ringByteCount: Int { Int(end &- start) }

    /// The allocated size of the ring, in bytes.
    var capacity: Int { ring.count }

    /// Returns whether all changes after a version are available.
    func reaches(backTo version: UInt64) -> Bool {
        version <= newest && newest - version <= UInt64(count)
    }

    /// Appends the event of the next version.
    ///
    /// - Parameter released: The version up to which streams may have sent the changes. Newer ones are kept beyond the
    ///   limits.
    mutating func append(_ event: [UInt8], limits: Limits, released: UInt64 = .max) {
        makeRoom(for: event.count, limits, released)
        reserve(ringByteCount + event.count, bound: limits.bytes)
        assert(ring.count.nonzeroBitCount <= 1, "expected a ring whose size is a power of two, got \(ring.count)")
        event.withUnsafeBytes { History.write($0, to: &ring, at: end) }
        end &+= UInt32(truncatingIfNeeded: event.count)
        assert(ringByteCount <= ring.count, "expected at most \(ring.count) bytes in the ring, got \(ringByteCount)")
        appendEnd(bound: max(1, limits.changes))
        newest += 1
    }

    /// Appends a large change as the next version, without copying it.
    mutating func append(_ change: LargeChange, limits: Limits, released: UInt64 = .max) {
        makeRoom(for: change.text.count, limits, released)
        appendEnd(bound: max(1, limits.changes))
        newest += 1
        larges.append((newest, change))
        assert(larges.count <= count, "expected at most \(count) changes outside of the ring, got \(larges.count)")
    }

    /// Removes the oldest changes until there is room for another one: not the changes that were never released, which would be lost for
    /// all streams.
    private mutating func makeRoom(for size: Int, _ limits: Limits, _ released: UInt64) {
        // Stops at an empty history, not at the limit: the newest change is stored even if it exceeds the limit alone.
        while count > 0, newest - UInt64(count) < released,
            count >= limits.changes || byteCount + size > limits.bytes
        {
            if let large = larges.first, large.version == newest - UInt64(count) + 1 { larges.removeFirst() }
            start = ends[firstEnd]
            firstEnd = (firstEnd + 1) % ends.count
            count -= 1
            assert(count > 0 || start == end, "expected no bytes without changes, got \(ringByteCount)")
            assert(
                larges.first.map { $0.version > newest - UInt64(count) } ?? true,
                "expected to remove large changes with their versions")
        }
    }

    /// Returns the change of a version if it is stored outside the ring.
    func largeChange(of version: UInt64) -> LargeChange? {
        larges.first { $0.version == version }?.change
    }

    /// Copies the events after a version into a buffer: whole events, at least one, about `limit` bytes. Stops before a
    /// ``largeChange(of:)``, which is not copied.
    ///
    /// - Parameters:
    ///   - version: A version that the history ``reaches(backTo:)``.
    ///   - released: The version at which to stop.
    /// - Returns: The version of the last copied event; `version` if nothing was copied.
    // Mutating, although it changes nothing: a caller whose history is a property of a class would otherwise copy the
    // history first, with a retain of each of its arrays.
    mutating func copy(
        after version: UInt64, upTo released: UInt64 = .max, limit: Int, into buffer: inout [UInt8]
    ) -> UInt64 {
        assert(limit >= 0, "expected room for an event, got \(limit) bytes")
        let from = position(after: version)
        guard version < min(newest, released) else { return version }
        // A large change has no bytes in the ring. The caller sends it from its own text and then continues here.
        let last = min(released, larges.first { $0.version > version }.map { $0.version - 1 } ?? newest)
        let lastEnd = last == newest ? end : position(after: last)
        guard Int(lastEnd &- from) > limit else {
            forEachPiece(from: from, to: lastEnd) { buffer.append(contentsOf: $0) }
            return last
        }
        // An event is never cut: a stream that was cut inside an event could not be resumed by its id.
        var reached = version + 1
        while reached < last, Int(position(after: reached + 1) &- from) <= limit { reached += 1 }
        forEachPiece(from: from, to: position(after: reached)) { buffer.append(contentsOf: $0) }
        return reached
    }

    /// Returns the JSON objects of all changes.
    mutating func changes() -> [StoredSession.Change] {
        var changes: [StoredSession.Change] = []
        var version = newest - UInt64(count)
        while version < newest {
            version += 1
            if let large = largeChange(of: version) {
                changes.append(StoredSession.Change(version: version, data: large.changedOutputs[...]))
                continue
            }
            var event: [UInt8] = []
            _ = copy(after: version - 1, upTo: version, limit: .max, into: &event)
            changes.append(
                StoredSession.Change(
                    version: version, data: event[ChangeEvent.data(of: event)],
                    traceparent: ChangeEvent.traceparent(of: event)))
        }
        return changes
    }

    /// Removes all changes and releases their memory. Keeps the version.
    mutating func removeAll() {
        let newest = newest
        self = History()
        self.newest = newest
    }

    private func position(after version: UInt64) -> UInt32 {
        assert(reaches(backTo: version), "expected one of the last \(count) versions up to \(newest), got \(version)")
        let place = count - Int(newest - version)
        return place == 0 ? start : ends[(firstEnd + place - 1) % ends.count]
    }

    private mutating func appendEnd(bound: Int) {
        // The ring of ends starts with four entries and doubles up to the bound on changes, so that an idle session
        // does not pay for 128.
        if count == ends.count {
            var larger = (0..<count).map { ends[(firstEnd + $0) % ends.count] }
            larger += [UInt32](repeating: 0, count: max(1, min(max(4, 2 * count), bound) - count))
            ends = larger
            firstEnd = 0
        }
        ends[(firstEnd + count) % ends.count] = end
        count += 1
        assert(count <= ends.count, "expected room for the ends of \(count) changes, got \(ends.count)")
    }

    /// Makes room for `needed` bytes. Doubles a ring that is too small, and shrinks one that a single large change has
    /// grown beyond the bound.
    private mutating func reserve(_ needed: Int, bound: Int) {
        // A ring of which half is enough was grown by one oversized change: it must not keep that memory for the session's
        // lifetime.
        guard ring.count < needed || ring.count / 2 >= max(bound, needed) else { return }
        let ceiling = History.powerOfTwo(atLeast: max(bound, needed))
        let size = min(ceiling, History.powerOfTwo(atLeast: max(needed, min(2 * ring.count, ceiling), 256)))
        var next = [UInt8](repeating: 0, count: max(size, History.powerOfTwo(atLeast: needed)))
        // Positions stay valid when the ring is resized, as streams' ends refer to them: each byte moves to the index
        // that its position has under the new mask.
        var position = start
        forEachPiece(from: start, to: end) { piece in
            History.write(piece, to: &next, at: position)
            position &+= UInt32(truncatingIfNeeded: piece.count)
        }
        ring = next
    }

    /// Writes bytes at a position of a ring. They may wrap around its end.
    private static func write(_ bytes: UnsafeRawBufferPointer, to ring: inout [UInt8], at position: UInt32) {
        assert(bytes.count <= ring.count, "expected at most \(ring.count) bytes to write, got \(bytes.count)")
        let place = Int(position & UInt32(truncatingIfNeeded: ring.count - 1))
        let head = min(bytes.count, ring.count - place)
        // `copyMemory` is one call of the C library; `copyBytes` of slices counts their elements first.
        ring.withUnsafeMutableBytes { ring in
            UnsafeMutableRawBufferPointer(rebasing: ring[place...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<head]))
            if head < bytes.count { ring.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[head...])) }
        }
    }

    /// Calls the closure with the bytes between two positions: one or two pieces of the ring, in order.
    private func forEachPiece(from: UInt32, to: UInt32, _ body: (UnsafeRawBufferPointer) -> Void) {
        let size = Int(to &- from)
        assert(size <= ring.count, "expected a part of \(ring.count) bytes, got \(size)")
        guard size > 0 else { return }
        let place = Int(from & UInt32(truncatingIfNeeded: ring.count - 1))
        let head = min(size, ring.count - place)
        ring.withUnsafeBytes { ring in
            body(UnsafeRawBufferPointer(rebasing: ring[place..<(place + head)]))
            if size > head { body(UnsafeRawBufferPointer(rebasing: ring[..<(size - head)])) }
        }
    }

    private static func powerOfTwo(atLeast number: Int) -> Int {
        number <= 1 ? 1 : 1 << (Int.bitWidth - (number - 1).leadingZeroBitCount)
    }
}
