/// The last changes of a session, as the events that its streams carry, behind one another in one ring of bytes. The
/// versions in it have no gap and end with the session's.
///
/// Bounded by a number of changes and of bytes. The newest change is kept whatever its size, so that streams that keep up
/// never lose one; the ring goes back to its bound with the next. A fresh history allocates nothing. A change that shares its
/// values with the outputs is kept beside the ring, where it takes no bytes.
struct History {
    /// How much is kept.
    struct Limits {
        /// Positions in the ring have 32 bits. With a ring of no more than half of what they can tell apart, and events
        /// below ``SharedText/threshold``, no two positions are ever taken for each other.
        static let mostBytes = 1 << 30

        let changes: Int
        let bytes: Int

        init(changes: Int, bytes: Int) {
            self.changes = changes
            self.bytes = min(bytes, Limits.mostBytes)
        }
    }

    /// The version of the newest change.
    private(set) var newest: UInt64 = 0
    /// How many changes there are.
    private(set) var count = 0
    /// Its size is a power of two, so that positions may wrap round 32 bits.
    private var ring: [UInt8] = []
    /// Where each change ends, as positions in the endless text of all changes; a ring as well.
    private var ends: [UInt32] = []
    private var firstEnd = 0
    /// Where the oldest change begins.
    private var start: UInt32 = 0
    /// Where the newest change ends.
    private var end: UInt32 = 0
    /// The changes that are not in the ring, by their versions.
    private var larges: [(version: UInt64, change: LargeChange)] = []

    /// The size of what is kept, in bytes.
    var byteCount: Int { larges.reduce(ringByteCount) { $0 + $1.change.text.count } }

    private var ringByteCount: Int { Int(end &- start) }

    /// The room that is held for it, in bytes.
    var capacity: Int { ring.count }

    /// Whether everything after that version is here.
    func reaches(backTo version: UInt64) -> Bool {
        version <= newest && newest - version <= UInt64(count)
    }

    /// Adds the next version's event.
    mutating func append(_ event: [UInt8], limits: Limits) {
        while count > 0, count >= limits.changes || byteCount + event.count > limits.bytes { removeFirst() }
        reserve(ringByteCount + event.count, bound: limits.bytes)
        event.withUnsafeBytes { History.write($0, to: &ring, at: end) }
        end &+= UInt32(truncatingIfNeeded: event.count)
        appendEnd(bound: max(1, limits.changes))
        newest += 1
    }

    /// Adds the next version's event, which is not copied.
    mutating func append(_ change: LargeChange, limits: Limits) {
        let size = change.text.count
        while count > 0, count >= limits.changes || byteCount + size > limits.bytes { removeFirst() }
        appendEnd(bound: max(1, limits.changes))
        newest += 1
        larges.append((newest, change))
    }

    /// The change of that version, if it is one that is not in the ring.
    func largeChange(of version: UInt64) -> LargeChange? {
        larges.first { $0.version == version }?.change
    }

    /// Copies events after that version, whole ones and at least one, about `limit` bytes; gives the version they reach.
    /// The version is one that it ``reaches(backTo:)``. A ``largeChange(of:)`` is not copied: events before it are, and for
    /// the version before it none.
    func copy(after version: UInt64, limit: Int, into buffer: inout [UInt8]) -> UInt64 {
        let from = position(after: version)
        guard version < newest else { return version }
        let last = larges.first { $0.version > version }.map { $0.version - 1 } ?? newest
        let lastEnd = last == newest ? end : position(after: last)
        guard Int(lastEnd &- from) > limit else {
            copy(from: from, to: lastEnd, into: &buffer)
            return last
        }
        var reached = version + 1
        while reached < last, Int(position(after: reached + 1) &- from) <= limit { reached += 1 }
        copy(from: from, to: position(after: reached), into: &buffer)
        return reached
    }

    /// Forgets everything but the version, and gives the memory back.
    mutating func removeAll() {
        let newest = newest
        self = History()
        self.newest = newest
    }

    private func position(after version: UInt64) -> UInt32 {
        let place = count - Int(newest - version)
        return place == 0 ? start : ends[(firstEnd + place - 1) % ends.count]
    }

    private mutating func removeFirst() {
        if let large = larges.first, large.version == newest - UInt64(count) + 1 { larges.removeFirst() }
        start = ends[firstEnd]
        firstEnd = (firstEnd + 1) % ends.count
        count -= 1
    }

    private mutating func appendEnd(bound: Int) {
        if count == ends.count {
            var larger = (0..<count).map { ends[(firstEnd + $0) % ends.count] }
            larger += [UInt32](repeating: 0, count: max(1, min(max(4, 2 * count), bound) - count))
            ends = larger
            firstEnd = 0
        }
        ends[(firstEnd + count) % ends.count] = end
        count += 1
    }

    /// Makes room: twice as much as before where there was too little, less where one great change had taken more than the
    /// bound.
    private mutating func reserve(_ needed: Int, bound: Int) {
        let ceiling = History.powerOfTwo(atLeast: max(bound, needed))
        guard ring.count < needed || ring.count > ceiling else { return }
        let size = min(ceiling, History.powerOfTwo(atLeast: max(needed, min(2 * ring.count, ceiling), 256)))
        var next = [UInt8](repeating: 0, count: max(size, History.powerOfTwo(atLeast: needed)))
        // A ring has at most two pieces, and each may wrap round the end of the new one.
        var position = start
        forEachPiece(from: start, to: end) { piece in
            History.write(piece, to: &next, at: position)
            position &+= UInt32(truncatingIfNeeded: piece.count)
        }
        ring = next
    }

    /// Writes bytes at a position of a ring, and round its end.
    private static func write(_ bytes: UnsafeRawBufferPointer, to ring: inout [UInt8], at position: UInt32) {
        let place = Int(position & UInt32(truncatingIfNeeded: ring.count - 1))
        let head = min(bytes.count, ring.count - place)
        // `copyMemory` is one call of the C library; `copyBytes` of slices counts their elements first.
        ring.withUnsafeMutableBytes { ring in
            UnsafeMutableRawBufferPointer(rebasing: ring[place...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<head]))
            if head < bytes.count { ring.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[head...])) }
        }
    }

    private func copy(from: UInt32, to: UInt32, into buffer: inout [UInt8]) {
        forEachPiece(from: from, to: to) { buffer.append(contentsOf: $0) }
    }

    /// Calls the closure with the bytes between two positions: one or two pieces of the ring, in order.
    private func forEachPiece(from: UInt32, to: UInt32, _ body: (UnsafeRawBufferPointer) -> Void) {
        let size = Int(to &- from)
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
