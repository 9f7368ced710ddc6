/// A buffer that is lent to one user at a time, so that it is allocated once.
struct ReusableBuffer {
    /// One that has grown beyond this is not kept.
    private static let largestKept = 1 << 20

    private var bytes: [UInt8] = []

    /// Has room for `capacity` bytes from the beginning.
    init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Lends the buffer, which is empty.
    mutating func take() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    /// Takes the buffer back, emptied. By reference: were it handed over by value, the caller's would be a second owner, and
    /// emptying it would allocate another one every time.
    mutating func recycle(_ taken: inout [UInt8]) {
        taken.removeAll(keepingCapacity: taken.capacity <= ReusableBuffer.largestKept)
        swap(&taken, &bytes)
    }
}
