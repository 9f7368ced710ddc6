/// A buffer that one user at a time borrows, so that it is allocated only once.
package struct ReusableBuffer {
    private let maxCapacity: Int
    private var bytes: [UInt8] = []

    /// Creates a buffer.
    ///
    /// - Parameters:
    ///   - capacity: The initial capacity in bytes.
    ///   - maxCapacity: The largest capacity that is kept, in bytes: large content must not pin its memory.
    package init(capacity: Int = 0, keeping maxCapacity: Int = 1 << 20) {
        self.maxCapacity = maxCapacity
        bytes.reserveCapacity(capacity)
    }

    /// Returns the buffer, which is empty.
    package mutating func take() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    /// Takes the buffer back and empties it. The parameter is `inout` because by value the caller's variable would be a
    /// second owner, and emptying the buffer would allocate a new one each time.
    package mutating func recycle(_ taken: inout [UInt8]) {
        taken.removeAll(keepingCapacity: taken.capacity <= maxCapacity)
        swap(&taken, &bytes)
    }
}
