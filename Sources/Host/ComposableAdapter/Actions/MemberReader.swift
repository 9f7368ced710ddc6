import JSONText
import MachineAdapters
import MachineHost

/// Decodes one of the values that an action carries.
struct MemberReader: @unchecked Sendable {
    // Sendable: the closure captures only types and schemas.
    /// The name of the value in a body with several values.
    let name: String
    let schema: JSONSchema
    let read: (ArraySlice<UInt8>) throws(InputMismatch) -> Any

    /// Creates the reader of a type. Returns nil if its values cannot be decoded.
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

    /// Returns a reader of the same values under another name.
    func named(_ name: String) -> MemberReader {
        MemberReader(name: name, schema: schema, read: read)
    }

    /// Returns the value in an object. A nullable value may also be missing.
    func read(from members: [String: ArraySlice<UInt8>]) throws(InputMismatch) -> Any {
        if let json = members[name] {
            do throws(InputMismatch) {
                return try read(json)
            } catch {
                throw error.inside("/" + JSONPointer.segment(name))
            }
        }
        if case .optional = schema { return try read(Array("null".utf8)[...]) }
        throw InputMismatch(
            pointer: "/" + JSONPointer.segment(name), detail: "expected \(schema.expectation), got nothing")
    }
}
