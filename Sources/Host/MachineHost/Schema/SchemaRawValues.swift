struct SchemaRawValues {
    private let texts: [String]
    private let numbers: [Int64]
    /// A raw value from which the enumeration can be created.
    let first: Any

    /// Creates the raw values of a type. Returns nil unless it is an enumeration whose cases can be found and have
    /// strings or whole numbers as raw values.
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

    var schema: JSONSchema {
        assert(!texts.isEmpty || !numbers.isEmpty, "expected at least one raw value")
        return texts.isEmpty ? .integers(numbers) : .strings(texts)
    }

    /// Returns the schema of the raw values in place of any string or any whole number; any other schema unchanged.
    func refine(_ schema: JSONSchema) -> JSONSchema {
        // A type may have raw values and still decode itself from something else.
        switch schema {
        case .string where !texts.isEmpty, .integer where !numbers.isEmpty: self.schema
        default: schema
        }
    }
}
