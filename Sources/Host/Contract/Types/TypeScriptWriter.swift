import JSONText
import MachineHost

/// Writes schemas as TypeScript, and collects the declarations of the types that have a name.
struct TypeScriptWriter {
    /// The declarations, in the order in which the types were found.
    private(set) var declarations: [String] = []
    // A type must not take the name of one that the text uses.
    private var names: Set<String> = ["Array", "Record", "Machines", "Machine", "MachineName"]
    /// The declared types of objects and enumerations: by the text of each name and type, the name of the declaration.
    private var declared: [String: String] = [:]

    /// Returns the type of a port.
    ///
    /// - Parameters:
    ///   - schema: The schema of the port.
    ///   - port: The machine and the port, for the names of recursive types.
    mutating func type(of schema: JSONSchema, named port: String) -> String {
        var known: [String: String] = [:]
        for definition in schema.definitions where known[definition.name] == nil {
            known[definition.name] = reserve("Recursive \(port) \(definition.name)")
        }
        for definition in schema.definitions {
            guard let name = known[definition.name] else { continue }
            let type = type(of: definition.schema, known)
            declarations.append("export type \(name) = \(type);")
        }
        return type(of: schema, known)
    }

    private mutating func type(of schema: JSONSchema, _ known: [String: String]) -> String {
        switch schema {
        case .any: "unknown"
        case .null: "null"
        case .boolean: "boolean"
        case .integer, .number: "number"
        case .string: "string"
        case .strings(let texts): TypeScriptWriter.union(texts.map(JSONWriter.quoted))
        case .integers(let numbers): TypeScriptWriter.union(numbers.map { "\($0)" })
        case .array(let element): "Array<\(type(of: element, known))>"
        case .dictionary(let value): "Record<string, \(type(of: value, known))>"
        case .object(let members), .open(let members): object(members, known)
        case .optional(let schema): "\(type(of: schema, known)) | null"
        case .reference(let name): known[name] ?? "unknown"
        case .named(let name, let schema): declare(name, type(of: schema, known))
        case .definitions(let schema, _): type(of: schema, known)
        }
    }

    /// Returns the name of the declaration of a type. A type is declared once.
    private mutating func declare(_ name: String, _ type: String) -> String {
        let key = "\(name) \(type)"
        if let name = declared[key] { return name }
        let free = reserve(name)
        declared[key] = free
        declarations.append("export type \(free) = \(type);")
        return free
    }

    private static func union(_ cases: [String]) -> String {
        cases.isEmpty ? "never" : cases.joined(separator: " | ")
    }

    private mutating func object(_ members: [JSONSchema.Member], _ known: [String: String]) -> String {
        guard !members.isEmpty else { return "Record<string, never>" }
        var texts: [String] = []
        for member in members {
            let type = type(of: member.schema, known)
            texts.append("\(TypeScriptWriter.key(member.name))\(member.isRequired ? "" : "?"): \(type)")
        }
        return "{ \(texts.joined(separator: "; ")) }"
    }

    /// Returns a name that no other type has. It begins with an upper-case letter, so it is no keyword.
    private mutating func reserve(_ text: String) -> String {
        let words = text.utf8.split { !isLetter($0) && !isDigit($0) }.map { word in
            let text = String(decoding: word, as: UTF8.self)
            return text.prefix(1).uppercased() + text.dropFirst()
        }
        var base = words.joined()
        if base.utf8.first.map(isDigit) ?? true { base = "Type" + base }
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
