/// Names for the bytes that delimit messages.
enum ASCII {
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")
    static let colon = UInt8(ascii: ":")

    /// The value of a hexadecimal digit.
    @inline(__always)
    static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- UInt8(ascii: "a") &+ 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- UInt8(ascii: "A") &+ 10
        default: nil
        }
    }
}

extension UnsafeRawBufferPointer {
    @inline(__always)
    func part(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }

    @inline(__always)
    func part(from start: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[start...]) }

    /// Returns the offset of the first occurrence of a byte. Examines eight bytes at a time.
    @inline(__always)
    func firstOffset(of wanted: UInt8, from start: Int = 0) -> Int? {
        let pattern = UInt64(wanted) &* 0x0101_0101_0101_0101
        var offset = start
        while offset &+ 8 <= count {
            let word = UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self)) ^ pattern
            // Sets the highest bit of each zero byte. A borrow can set it in a byte above a zero byte, too, so only the
            // lowest set bit is used.
            let zero = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
            if zero != 0 { return offset &+ zero.trailingZeroBitCount >> 3 }
            offset &+= 8
        }
        while offset < count {
            if self[offset] == wanted { return offset }
            offset &+= 1
        }
        return nil
    }

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

    /// Returns whether the bytes are the text.
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
