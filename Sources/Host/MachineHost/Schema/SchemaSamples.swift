/// The scalars that types receive while their schemas are explored.
struct SchemaSamples {
    var number: Int8 = 0
    var text = ""
    var flag = false

    /// The sample values in the order in which they are tried: first those of an empty form, then the smallest ones
    /// that pass a check for emptiness.
    static let all = [SchemaSamples(), SchemaSamples(number: 1, text: "a", flag: true)]

    /// Returns the sample value of a scalar type; nil for other types.
    func value<T>(of type: T.Type) -> T? {
        if type == String.self { return text as? T }
        if type == Bool.self { return flag as? T }
        if type == Double.self { return Double(number) as? T }
        if type == Float.self { return Float(number) as? T }
        guard let integer = type as? any FixedWidthInteger.Type else { return nil }
        return integer.init(truncatingIfNeeded: number) as? T
    }
}
