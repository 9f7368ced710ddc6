/// Numbers as variable-length integers (LEB128): seven bits in each byte, the lowest first; the eighth says that another byte follows.
package enum VariableLengthNumber {
    package static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Reads a number from the bytes that a closure returns; nil if they end within it, or it is too long.
    package static func read(_ next: () -> UInt8?) -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = next() else { return nil }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        return nil
    }
}

/// Writes the fields of a record: numbers as ``VariableLengthNumber``, bytes with their length before them.
struct RecordWriter {
    private var bytes: [UInt8] = []

    /// Exchanges the bytes for others, to which the writer appends until they are exchanged again.
    // Moved, not copied: the writer must hold the only reference to the buffer while it appends.
    mutating func exchange(_ others: inout [UInt8]) {
        swap(&others, &bytes)
    }

    mutating func append(_ number: UInt64) { VariableLengthNumber.append(number, to: &bytes) }

    /// Appends a number that may be negative, with its sign in the lowest bit.
    mutating func append(signed number: Int64) {
        append(UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    mutating func append(flag: Bool) {
        bytes.append(flag ? 1 : 0)
    }

    mutating func append(_ content: some Collection<UInt8>) {
        append(UInt64(content.count))
        bytes.append(contentsOf: content)
    }

    mutating func append(_ digest: RequestDigest) {
        for word in [digest.low, digest.high] {
            withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
        }
    }

    /// Returns the bytes and leaves the writer empty.
    mutating func take() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }
}

/// Reads the fields of a record in the order in which ``RecordWriter`` wrote them.
///
/// Somebody else may have written the record. What it returns is safe to calculate with.
struct RecordReader {
    private var rest: ArraySlice<UInt8>

    /// The times that a record may contain, in milliseconds of Unix time: the years 855 to 3084. Sums and differences of a few of them
    /// do not overflow.
    static let times: ClosedRange<Int64> = -(1 << 45)...(1 << 45)
    /// The greatest version, and the greatest number of an effect. Increments do not overflow.
    private static let greatestNumber: UInt64 = 1 << 62

    /// Thrown when a record is shorter than its fields, or contains an impossible value.
    struct Damaged: Error {}

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number() throws(Damaged) -> UInt64 {
        guard let number = VariableLengthNumber.read({ rest.popFirst() }) else { throw Damaged() }
        return number
    }

    mutating func signedNumber() throws(Damaged) -> Int64 {
        let bits = try number()
        return Int64(bitPattern: bits >> 1) ^ -Int64(bits & 1)
    }

    /// Returns the nearest time that a record may contain.
    static func nearestTime(to time: Int64) -> Int64 { min(max(time, times.lowerBound), times.upperBound) }

    /// Reads a stored time in milliseconds.
    mutating func time() throws(Damaged) -> Int64 {
        let time = try signedNumber()
        guard RecordReader.times.contains(time) else { throw Damaged() }
        return time
    }

    /// Reads a wall time in seconds of Unix time.
    mutating func seconds() throws(Damaged) -> Int64 {
        let seconds = try signedNumber()
        let (time, isBeyond) = seconds.multipliedReportingOverflow(by: 1000)
        guard !isBeyond, RecordReader.times.contains(time) else { throw Damaged() }
        return seconds
    }

    /// Reads a version, or a number that is counted up like one.
    mutating func version() throws(Damaged) -> UInt64 {
        let version = try number()
        guard version <= RecordReader.greatestNumber else { throw Damaged() }
        return version
    }

    mutating func flag() throws(Damaged) -> Bool {
        switch rest.popFirst() {
        case 0: return false
        case 1: return true
        default: throw Damaged()
        }
    }

    mutating func content() throws(Damaged) -> ArraySlice<UInt8> {
        let count = try number()
        guard count <= UInt64(rest.count) else { throw Damaged() }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    mutating func text() throws(Damaged) -> String {
        // Repaired, two different texts could become the same.
        guard let text = String(validating: try content(), as: UTF8.self) else { throw Damaged() }
        return text
    }

    mutating func digest() throws(Damaged) -> RequestDigest {
        let low = try word()
        return RequestDigest(low: low, high: try word())
    }

    /// Reads the number of elements that follow, each of which takes at least one byte.
    mutating func count() throws(Damaged) -> Int {
        let count = try number()
        guard count <= UInt64(rest.count) else { throw Damaged() }
        return Int(count)
    }

    private mutating func word() throws(Damaged) -> UInt64 {
        guard rest.count >= 8 else { throw Damaged() }
        var word: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            guard let byte = rest.popFirst() else { throw Damaged() }
            word |= UInt64(byte) << shift
        }
        return word
    }
}
