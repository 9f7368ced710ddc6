extension [UInt8] {
    /// Appends a copy of other bytes.
    ///
    /// `append(contentsOf:)` takes its argument over, so that a caller who keeps the bytes retains them for each call.
    @inline(__always)
    package mutating func append(copyOf other: [UInt8]) {
        other.withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    /// Appends a copy of a part of other bytes.
    @inline(__always)
    package mutating func append(copyOf other: [UInt8], _ range: Range<Int>) {
        other.withUnsafeBufferPointer { append(contentsOf: UnsafeBufferPointer(rebasing: $0[range])) }
    }
}
