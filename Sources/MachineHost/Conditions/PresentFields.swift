import HTTPModel

/// Which of the fields that matter to an input a request has: found in one pass, since most requests have none of them and
/// each look-up compares all names.
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

    /// Whether a name, which is in lower case and as long as the other, is that one.
    private static func matches(_ name: UnsafeRawBufferPointer, _ expected: StaticString) -> Bool {
        for index in 0..<name.count where name[index] != expected.utf8Start[index] { return false }
        return true
    }
}
