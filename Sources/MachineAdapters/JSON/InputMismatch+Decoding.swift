import FoundationEssentials
import MachineHost

extension InputMismatch {
    /// Why the JSON is no value of the type that the schema describes: the place, what was expected there and what came.
    init(_ error: any Error, in json: ArraySlice<UInt8>, schema: JSONSchema) {
        guard let error = error as? DecodingError else {
            self.init(pointer: "", detail: "expected \(schema.expectation), found what the machine refuses")
            return
        }
        switch error {
        case .keyNotFound(let key, let context):
            let path = context.codingPath + [key]
            let expected = schema.inside(path[...])?.expectation ?? "a value"
            self.init(pointer: Self.pointer(path), detail: "expected \(expected), found nothing")
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            self.init(context, in: json, schema: schema)
        case .dataCorrupted(let context):
            self.init(context, in: json, schema: schema)
        @unknown default:
            self.init(pointer: "", detail: "expected \(schema.expectation)")
        }
    }

    private init(_ context: DecodingError.Context, in json: ArraySlice<UInt8>, schema: JSONSchema) {
        let path = context.codingPath
        let found: String?
        if path.isEmpty {
            found = FoundValue.kind(of: json)
        } else {
            // Bytes that are no JSON at all have been refused before; should they not have been, nothing is said of them.
            let value = try? JSONDecoder().decode(FoundValue.self, from: Data(json))
            found = value?.kind(at: path[...])
        }
        let expected = schema.inside(path[...])?.expectation ?? "a value that the machine takes"
        self.init(pointer: Self.pointer(path), detail: "expected \(expected), found \(found ?? "something else")")
    }

    /// The path as a JSON Pointer (RFC 6901).
    private static func pointer(_ path: [any CodingKey]) -> String {
        path.map { key in
            let name = key.intValue.map(String.init) ?? key.stringValue
            return "/"
                + name.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
                .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
        }.joined()
    }
}

extension JSONSchema {
    /// The schema of the value at that place; nil where none is known.
    func inside(_ path: ArraySlice<any CodingKey>, definitions: [Definition] = []) -> JSONSchema? {
        switch self {
        case .definitions(let schema, let definitions): return schema.inside(path, definitions: definitions)
        case .reference(let name):
            return definitions.first { $0.name == name }?.schema.inside(path, definitions: definitions)
        case .optional(let schema) where !path.isEmpty: return schema.inside(path, definitions: definitions)
        default: break
        }
        guard let key = path.first else { return self }
        let rest = path.dropFirst()
        switch self {
        case .array(let element), .dictionary(let element): return element.inside(rest, definitions: definitions)
        case .object(let members):
            return members.first { $0.name == key.stringValue }?.schema.inside(rest, definitions: definitions)
        default: return nil
        }
    }

    /// What people call the values.
    var expectation: String {
        switch self {
        case .null: "null"
        case .any: "a value that the machine takes"
        case .boolean: "a boolean"
        case .integer(let minimum, let maximum): Self.expectation(from: minimum, to: maximum)
        case .number: "a number"
        case .string(let format): format.map { "a string (\($0))" } ?? "a string"
        case .strings(let texts): "one of " + texts.map { "\"\($0)\"" }.joined(separator: ", ")
        case .integers(let numbers): "one of " + numbers.map(String.init).joined(separator: ", ")
        case .array: "an array"
        case .dictionary, .object, .reference: "an object"
        case .optional(let schema): schema.expectation + " or null"
        case .definitions(let schema, _): schema.expectation
        }
    }

    private static func expectation(from minimum: Int64?, to maximum: UInt64?) -> String {
        guard let minimum, let maximum, maximum < UInt64(Int64.max) else {
            return minimum == 0 ? "a whole number, not negative" : "a whole number"
        }
        return "a whole number from \(minimum) to \(maximum)"
    }
}
