/// The scalars that types are given while their schemas are looked for.
struct SchemaDummies {
    var number: Int8 = 0
    var text = ""
    var flag = false

    /// One after the other, until a type takes them: what an empty form would send, then the least that means something.
    static let all = [SchemaDummies(), SchemaDummies(number: 1, text: "a", flag: true)]

    /// The scalar of that type; nil for types that are no scalars.
    func value<T>(of type: T.Type) -> T? {
        if type == String.self { return text as? T }
        if type == Bool.self { return flag as? T }
        if type == Double.self { return Double(number) as? T }
        if type == Float.self { return Float(number) as? T }
        guard let integer = type as? any FixedWidthInteger.Type else { return nil }
        return integer.init(truncatingIfNeeded: number) as? T
    }
}
