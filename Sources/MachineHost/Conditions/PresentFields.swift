import HTTPModel

/// The optional fields that an input request carries. They are found in one pass: most requests have none of them, and
/// each single lookup compares all field names.
struct PresentFields: OptionSet {
    let rawValue: UInt8

    static let accept = PresentFields(rawValue: 1)
    static let idempotencyKey = PresentFields(rawValue: 2)
    /// `If-Match` or `If-None-Match`.
    static let conditions = PresentFields(rawValue: 4)

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    init(of fields: HTTPFields) {
        var found: PresentFields = []
        fields.forEach { name, _ in
            switch name.count {
            case 6 where PresentFields.matches(name, "accept"): found.insert(.accept)
            case 8 where PresentFields.matches(name, "if-match"): found.insert(.conditions)
            case 13 where PresentFields.matches(name, "if-none-match"): found.insert(.conditions)
            case 15 where PresentFields.matches(name, "idempotency-key"): found.insert(.idempotencyKey)
            default: break
            }
        }
        self = found
    }

    /// Returns whether a lower-case name equals `expected`, which has the same length.
    private static func matches(_ name: UnsafeRawBufferPointer, _ expected: StaticString) -> Bool {
        for index in 0..<name.count where name[index] != expected.utf8Start[index] { return false }
        return true
    }
}
