import JSONText
import MachineHost

/// Writes schemas as TypeScript, and collects the declarations of recursive types.
struct TypeScriptWriter {
    /// The declarations, in the order in which the types were found.
    private(set) var declarations: [String] = []
    private var names: Set<String> = []

    /// Returns the type of a port.
    ///
    /// - Parameters:
    ///   - schema: The schema of the port.
    ///   - port: The machine and the port, for the names of recursive types.
    mutating func type(of schema: JSONSchema, named port: String) -> String {
        var known: [String: String] = [:]
        for definition in schema.definitions where known[definition.name] == nil {
            known[definition.name] = reserve("\(port) \(definition.name)")
        }
        for definition in schema.definitions {
            guard let name = known[definition.name] else { continue }
            declarations.append("type \(name) = \(TypeScriptWriter.type(of: definition.schema, known));")
        }
        return TypeScriptWriter.type(of: schema, known)
    }

    private static func type(of schema: JSONSchema, _ known: [String: String]) -> String {
        switch schema {
        case .any: "unknown"
        case .null: "null"
        case .boolean: "boolean"
        case .integer, .number: "number"
        case .string: "string"
        case .strings(let texts): union(texts.map(JSONWriter.quoted))
        case .integers(let numbers): union(numbers.map { "\($0)" })
        case .array(let element): "Array<\(type(of: element, known))>"
        case .dictionary(let value): "Record<string, \(type(of: value, known))>"
        case .object(let members), .open(let members): object(members, known)
        case .optional(let schema): "\(type(of: schema, known)) | null"
        case .reference(let name): known[name] ?? "unknown"
        case .definitions(let schema, _): type(of: schema, known)
        }
    }

    private static func union(_ cases: [String]) -> String {
        cases.isEmpty ? "never" : cases.joined(separator: " | ")
    }

    private static func object(_ members: [JSONSchema.Member], _ known: [String: String]) -> String {
        guard !members.isEmpty else { return "Record<string, never>" }
        let texts = members.map { "\(key($0.name))\($0.isRequired ? "" : "?"): \(type(of: $0.schema, known))" }
        return "{ \(texts.joined(separator: "; ")) }"
    }

    /// Returns a name for a recursive type that no other one has. It begins with a word of ours, so it is no keyword.
    private mutating func reserve(_ text: String) -> String {
        let words = text.utf8.split { !isLetter($0) && !isDigit($0) }.map { word in
            let text = String(decoding: word, as: UTF8.self)
            return text.prefix(1).uppercased() + text.dropFirst()
        }
        let base = "Recursive" + words.joined()
        var (name, count) = (base, 1)
        while !names.insert(name).inserted {
            count += 1
            name = "\(base)_\(count)"
        }
        return name
    }

    /// Returns a name as a key: in quotes, unless it is an identifier.
    static func key(_ name: String) -> String {
        // Keywords are allowed as keys.
        let isIdentifier = name.utf8.first.map(isLetter) == true && name.utf8.allSatisfy { isLetter($0) || isDigit($0) }
        return isIdentifier ? name : JSONWriter.quoted(name)
    }
}

private func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
    default: false
    }
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
