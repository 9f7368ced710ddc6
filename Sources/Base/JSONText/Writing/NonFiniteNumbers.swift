/// The form of infinities and NaN, which JSON cannot represent as numbers.
package enum NonFiniteNumbers: Sendable {
    /// They are errors.
    case rejected
    /// They are strings with the bits of the number: `"bits:7ff0000000000000"`. So a NaN keeps its payload.
    case bits

    private static let prefix = "bits:"

    /// Returns the text of a number; nil if the value is not a floating-point number.
    static func text(of value: Any) -> String? {
        switch value {
        case let number as Double: prefix + String(number.bitPattern, radix: 16)
        case let number as Float: prefix + String(number.bitPattern, radix: 16)
        default: nil
        }
    }

    /// Returns the number with a text; nil if it is not of the type, or the text is not that of a number.
    static func value<T>(_ type: T.Type, _ json: ArraySlice<UInt8>) -> T? {
        guard let text = String(json: json), text.hasPrefix(prefix) else { return nil }
        let digits = text.dropFirst(prefix.count)
        if let number = UInt64(digits, radix: 16).map(Double.init(bitPattern:)) as? T { return number }
        return UInt32(digits, radix: 16).map(Float.init(bitPattern:)) as? T
    }
}
