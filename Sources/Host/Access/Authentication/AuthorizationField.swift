/// The value of an `Authorization` field (RFC 9110 §11.6.2): a scheme and a credential.
enum AuthorizationField {
    case bearer(UnsafeRawBufferPointer)
    case apiKey(UnsafeRawBufferPointer)
    case ticket(UnsafeRawBufferPointer)
    /// A scheme that only a program can know.
    case other

    init(_ value: UnsafeRawBufferPointer) {
        let end = value.firstIndex(of: 0x20) ?? value.endIndex
        let credential = UnsafeRawBufferPointer(rebasing: value[end...].drop { $0 == 0x20 })
        switch end {
        case 6 where Self.isScheme(value, "bearer"):
            let isKey = credential.starts(with: APIKeyFile.prefix.utf8)
            // Many clients can only send Bearer. A JWT begins with the digits of `{`, never with this prefix.
            self = isKey ? .apiKey(credential) : .bearer(credential)
        case 6 where Self.isScheme(value, "apikey"): self = .apiKey(credential)
        case 6 where Self.isScheme(value, "ticket"): self = .ticket(credential)
        default: self = .other
        }
    }

    private static func isScheme(_ value: UnsafeRawBufferPointer, _ scheme: StaticString) -> Bool {
        for index in 0..<scheme.utf8CodeUnitCount where value[index] | 0x20 != scheme.utf8Start[index] { return false }
        return true
    }
}
