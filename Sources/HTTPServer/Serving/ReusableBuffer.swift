/// A buffer that one user at a time borrows, so that it is allocated only once.
struct ReusableBuffer {
    /// The largest capacity that is kept.
    private static let largestKept = 1 << 20

    private var bytes: [UInt8] = []

    /// Creates a buffer with an initial capacity in bytes.
    init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Returns the buffer, which is empty.
    mutating func take() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    /// Takes the buffer back and empties it. The parameter is `inout` because by value the caller's variable would be a
    /// second owner, and emptying the buffer would allocate a new one each time.
    mutating func recycle(_ taken: inout [UInt8]) {
        taken.removeAll(keepingCapacity: taken.capacity <= ReusableBuffer.largestKept)
        swap(&taken, &bytes)
    }
}
