import HTTPModel

/// Which optional fields an input request carries. They are found in one pass: most requests have none of them, and
/// each single lookup compares all field names.
struct FieldPresence: OptionSet {
    let rawValue: UInt8

    static let accept = FieldPresence(rawValue: 1)
    static let idempotencyKey = FieldPresence(rawValue: 2)
    /// `If-Match` or `If-None-Match`.
    static let conditions = FieldPresence(rawValue: 4)
}

extension FieldPresence {
    // Borrowed: an initializer would otherwise be given a copy.
    init(of fields: borrowing HTTPFields) {
        var found: FieldPresence = []
        fields.forEach { name, _ in
            switch name.count {
            case 6 where FieldPresence.matches(name, "accept"): found.insert(.accept)
            case 8 where FieldPresence.matches(name, "if-match"): found.insert(.conditions)
            case 13 where FieldPresence.matches(name, "if-none-match"): found.insert(.conditions)
            case 15 where FieldPresence.matches(name, "idempotency-key"): found.insert(.idempotencyKey)
            default: break
            }
        }
        self = found
    }

    /// Returns whether a lower-case name equals `expected`, which has the same length.
    private static func matches(_ name: UnsafeRawBufferPointer, _ expected: StaticString) -> Bool {
        assert(
            name.count == expected.utf8CodeUnitCount,
            "expected a name of \(expected.utf8CodeUnitCount) bytes, got \(name.count)")
        for index in 0..<name.count where name[index] != expected.utf8Start[index] { return false }
        return true
    }
}
