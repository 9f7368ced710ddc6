/// Names for the bytes that delimit messages.
enum ASCII {
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")
    static let colon = UInt8(ascii: ":")
}

extension UnsafeRawBufferPointer {
    @inline(__always)
    func part(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }

    @inline(__always)
    func part(from start: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[start...]) }

    /// Returns whether the bytes are the text, ignoring case. The text must be in lower case.
    @inline(__always)
    func equalsIgnoringCase(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for offset in 0..<count {
            let byte = self[offset]
            let lower = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
            if lower != text.utf8Start[offset] { return false }
        }
        return true
    }

    @inline(__always)
    func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for offset in 0..<count where self[offset] != text.utf8Start[offset] { return false }
        return true
    }

    /// The bytes without leading and trailing spaces and tabs.
    @inline(__always)
    var withoutBlanks: UnsafeRawBufferPointer {
        var start = 0
        var end = count
        while start < end, self[start] == ASCII.space || self[start] == ASCII.tab { start &+= 1 }
        while end > start, self[end &- 1] == ASCII.space || self[end &- 1] == ASCII.tab { end &-= 1 }
        return part(start..<end)
    }
}
