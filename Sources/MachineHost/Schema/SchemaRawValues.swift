/// The raw values of an enumeration, all of them.
struct SchemaRawValues {
    private let texts: [String]
    private let numbers: [Int64]
    /// One of the raw values: what the enumeration can be made from.
    let first: Any

    /// The raw values of the type if it is an enumeration whose cases can be found and are texts or whole numbers.
    init?(_ type: any Any.Type) {
        guard let type = type as? any RawRepresentable.Type else { return nil }
        self.init(opened: type)
    }

    private init?<T: RawRepresentable>(opened type: T.Type) {
        let values = PlainEnumeration.cases(of: type).map(\.rawValue)
        guard let first = values.first else { return nil }
        self.first = first
        texts = values.compactMap { $0 as? String }
        numbers = values.compactMap { ($0 as? any FixedWidthInteger).flatMap { Int64(exactly: $0) } }
        guard texts.count == values.count || numbers.count == values.count else { return nil }
    }

    /// The schema of the raw values.
    var schema: JSONSchema {
        texts.isEmpty ? .integers(numbers) : .strings(texts)
    }

    /// The raw values in place of all texts, or of all whole numbers; a schema of something else as it is (a type may
    /// have raw values and not decode itself from them).
    func refine(_ schema: JSONSchema) -> JSONSchema {
        switch schema {
        case .string where !texts.isEmpty, .integer where !numbers.isEmpty: self.schema
        default: schema
        }
    }
}
