import MachineHost

/// Reads one of the values that an action carries.
struct MemberReader: @unchecked Sendable {
    // Sendable because the closure captures nothing but types and schemas.
    /// Its name in the body, where the body has several.
    let name: String
    let schema: JSONSchema
    let read: (ArraySlice<UInt8>) throws(InputMismatch) -> Any

    /// The reader of a type; nil if its values cannot be read.
    init?(named name: String, type: any Any.Type) {
        func reader<Value>(_ type: Value.Type) -> MemberReader? {
            guard let reader = ValueReader<Value>() else { return nil }
            return MemberReader(name: name, schema: reader.schema) { json throws(InputMismatch) in
                try reader.read(json)
            }
        }
        guard let reader = _openExistential(type, do: reader) else { return nil }
        self = reader
    }

    private init(
        name: String, schema: JSONSchema, read: @escaping (ArraySlice<UInt8>) throws(InputMismatch) -> Any
    ) {
        self.name = name
        self.schema = schema
        self.read = read
    }

    /// The same values under another name.
    func named(_ name: String) -> MemberReader {
        MemberReader(name: name, schema: schema, read: read)
    }

    /// The value in an object; one that may be null may be left out.
    func read(from members: [String: ArraySlice<UInt8>]) throws(InputMismatch) -> Any {
        if let json = members[name] {
            do throws(InputMismatch) {
                return try read(json)
            } catch {
                throw error.inside("/" + InputMismatch.pointerSegment(name))
            }
        }
        if case .optional = schema { return try read(Array("null".utf8)[...]) }
        throw InputMismatch(
            pointer: "/" + InputMismatch.pointerSegment(name), detail: "expected \(schema.expectation), got nothing")
    }
}
