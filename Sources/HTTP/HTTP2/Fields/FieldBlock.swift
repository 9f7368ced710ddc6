import HTTPModel

/// What heads and trailers of requests and responses have in common: the limits of their size, and the checks of RFC 9113
/// §8.2 and §8.3 that do not depend on the field.
struct FieldBlock {
    /// The factor by which a limit may be exceeded before the whole connection counts as an attack.
    private static let excess = 4

    /// Whether the fields so far exceed the limits.
    enum Size {
        case fits
        case exceeds
        case floods
    }

    private(set) var isTrailers = false
    private var hasRegularField = false
    private var fieldCount = 0
    /// The size of the decoded fields, each with 32 extra bytes (RFC 9113 §6.5.2).
    private(set) var byteCount = 0

    /// Begins a second header block: trailers.
    mutating func beginTrailers() {
        isTrailers = true
        fieldCount = 0
        byteCount = 0
    }

    /// Counts a field.
    mutating func count(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, limits: HTTP2Limits
    ) -> Size {
        fieldCount += 1
        byteCount += name.count + value.count + 32
        if fieldCount <= limits.fieldCount && byteCount <= limits.headBytes { return .fits }
        let isFlood =
            fieldCount / FieldBlock.excess > limits.fieldCount || byteCount / FieldBlock.excess > limits.headBytes
        return isFlood ? .floods : .exceeds
    }

    /// Checks a field; returns whether it is a pseudo-field.
    mutating func check(
        _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(HTTP2MessageError) -> Bool {
        guard value.isFieldValue else { throw .fieldValue }
        if name.first == UInt8(ascii: ":") {
            guard !isTrailers else { throw .pseudoFieldInTrailers }
            guard !hasRegularField else { throw .pseudoFieldMisplaced }
            return true
        }
        guard !name.isEmpty, ByteSet.fieldName.prefix(of: name) == name.count else { throw .fieldName }
        hasRegularField = true
        return false
    }
}
