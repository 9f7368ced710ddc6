import JSONText
package import MachineHost

extension InputMismatch {
    /// Creates the mismatch of JSON that is not a value of the schema's type: the place, the expected value and the
    /// received value. Unknown members are reported as well.
    init(_ error: any Error, in reading: JSONReading, schema: JSONSchema) {
        let unknown = InputMismatch.unknownMembers(in: reading, schema: schema)
        guard let error = error as? DecodingError else {
            self.init(
                pointer: "", detail: "expected \(schema.expectation), got one that the machine rejects",
                others: unknown)
            return
        }
        let path = error.path
        let expected = error.expectation(schema.inside(path[...]))
        var received = "nothing"
        if case .keyNotFound = error {
        } else if let value = reading.value(at: path) {
            received = FoundValue.description(of: value.slice)
            if value.kind == .object, case .object? = schema.inside(path[...])?.withoutNull {
                // For an enumeration whose cases are members, a misspelt case is already reported as an unknown member.
                if let first = unknown.first {
                    self = first
                    others += unknown.dropFirst()
                    return
                }
                let names = reading.members(of: value).map(\.name)
                received = names.isEmpty ? "an empty object" : "an object with \(FoundValue.list(names))"
            }
        }
        self.init(
            pointer: InputMismatch.pointer(path), detail: "expected \(expected), got \(received)", others: unknown)
    }

    /// Creates a mismatch of the members that no type decodes. Returns nil if there are none.
    init?(unknownMembersIn reading: JSONReading, schema: JSONSchema) {
        let all = InputMismatch.unknownMembers(in: reading, schema: schema)
        guard let first = all.first else { return nil }
        self = first
        others += all.dropFirst()
    }

    private static func unknownMembers(in reading: JSONReading, schema: JSONSchema) -> [InputMismatch] {
        reading.unknownMembers.prefix(maxReported).map { path, name in
            var known: [String] = []
            if case .object(let members)? = schema.inside(path[...])?.withoutNull { known = members.map(\.name) }
            return InputMismatch(unknownMember: name, known: known).inside(pointer(path))
        }
    }

    /// Returns a path as a JSON Pointer (RFC 6901).
    private static func pointer(_ path: [any CodingKey]) -> String {
        path.map { key in
            "/" + ((key as? JSONTextIndex)?.intValue.map(String.init) ?? JSONPointer.segment(key.stringValue))
        }.joined()
    }
}

extension DecodingError {
    /// The place of the error; for a missing member, the place of that member.
    fileprivate var path: [any CodingKey] {
        switch self {
        case .keyNotFound(let key, let context): context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath
        @unknown default: []
        }
    }

    /// Returns the expected value according to the schema of the place or, if the schema is unknown, the type that
    /// failed to decode.
    fileprivate func expectation(_ schema: JSONSchema?) -> String {
        if let schema, schema != .any { return schema.expectation }
        switch self {
        case .typeMismatch(let type, _), .valueNotFound(let type, _):
            return JSONSchema.of(encodable: type).expectation
        default: return JSONSchema.any.expectation
        }
    }
}

extension JSONSchema {
    /// Returns the schema of the value at a path; nil if it is not known.
    func inside(_ path: ArraySlice<any CodingKey>, definitions: [Definition] = []) -> JSONSchema? {
        switch self {
        case .definitions(let schema, let definitions): return schema.inside(path, definitions: definitions)
        case .reference(let name):
            return definitions.first { $0.name == name }?.schema.inside(path, definitions: definitions)
        case .named(_, let schema): return schema.inside(path, definitions: definitions)
        case .optional(let schema) where !path.isEmpty: return schema.inside(path, definitions: definitions)
        case .optional(.reference(let name)):
            return definitions.first { $0.name == name }?.schema.inside(path, definitions: definitions)?.orNull
        default: break
        }
        guard let key = path.first else { return self }
        let rest = path.dropFirst()
        switch self {
        case .array(let element), .dictionary(let element): return element.inside(rest, definitions: definitions)
        case .object(let members), .open(let members):
            return members.first { $0.name == key.stringValue }?.schema.inside(rest, definitions: definitions)
        default: return nil
        }
    }

    fileprivate var withoutNull: JSONSchema {
        if case .optional(let schema) = self { schema.unnamed } else { unnamed }
    }

    /// A phrase for the values of the schema: `a boolean`, `one of "a", "b"`.
    package var expectation: String {
        switch self {
        case .null: "null"
        case .any: "a value that the machine accepts"
        case .boolean: "a boolean"
        case .integer(let minimum, let maximum): Self.expectation(from: minimum, to: maximum)
        case .number: "a number"
        case .string(let format): format.map { "a string (\($0))" } ?? "a string"
        case .strings(let texts): "one of " + FoundValue.list(texts)
        case .integers(let numbers): "one of " + numbers.prefix(12).map(String.init).joined(separator: ", ")
        case .array: "an array"
        case .object(let members) where members.count > 1 && members.allSatisfy { !$0.isRequired }:
            "an object with one of \(FoundValue.list(members.map(\.name)))"
        case .dictionary, .object, .open, .reference: "an object"
        case .optional(let schema): schema.expectation + " or null"
        case .definitions(let schema, _), .named(_, let schema): schema.expectation
        }
    }

    private static func expectation(from minimum: Int64?, to maximum: UInt64?) -> String {
        guard let minimum, let maximum, maximum < UInt64(Int64.max) else {
            return minimum == 0 ? "a whole number, not negative" : "a whole number"
        }
        return "a whole number from \(minimum) to \(maximum)"
    }
}
