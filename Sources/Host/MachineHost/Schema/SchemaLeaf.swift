import FoundationEssentials

/// A type with a fixed schema.
struct SchemaLeaf: @unchecked Sendable {
    // Sendable: both members are constant and contain values of value types only.
    let schema: JSONSchema
    let value: Any

    /// The leaves, by their type.
    static let all: [ObjectIdentifier: SchemaLeaf] = {
        var leaves: [ObjectIdentifier: SchemaLeaf] = [:]
        func add<T>(_ value: T, _ schema: JSONSchema) {
            leaves[ObjectIdentifier(T.self)] = SchemaLeaf(schema: schema, value: value)
        }
        func addInteger<T: FixedWidthInteger>(_ type: T.Type) {
            add(T.zero, .integer(minimum: Int64(exactly: T.min), maximum: UInt64(exactly: T.max)))
        }
        add(false, .boolean)
        add("", .string(format: nil))
        add(Double.zero, .number)
        add(Float.zero, .number)
        add(FoundationEssentials.Decimal(0), .number)
        addInteger(Int.self)
        addInteger(Int8.self)
        addInteger(Int16.self)
        addInteger(Int32.self)
        addInteger(Int64.self)
        addInteger(UInt.self)
        addInteger(UInt8.self)
        addInteger(UInt16.self)
        addInteger(UInt32.self)
        addInteger(UInt64.self)
        add(Date(timeIntervalSinceReferenceDate: 0), .string(format: "date-time"))
        add(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), .string(format: "uuid"))
        add(Data(), .string(format: "base64"))
        if let url = URL(string: "https://example.org/") { add(url, .string(format: "uri")) }
        return leaves
    }()
}
