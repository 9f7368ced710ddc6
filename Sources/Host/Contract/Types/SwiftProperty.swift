import MachineHost

struct SwiftProperty {
    /// The name, with backticks if it is a keyword.
    let written: String
    let type: String
    private let name: String
    private let member: JSONSchema.Member

    init(_ member: JSONSchema.Member, named name: String, type: String) {
        self.member = member
        self.name = name
        self.type = member.isRequired || type.hasSuffix("?") ? type : type + "?"
        written = SwiftName.written(name)
    }

    private var isOptional: Bool { type.hasSuffix("?") }
    /// Whether nil is null. Otherwise, it is a member that is missing.
    private var isNullable: Bool { isOptional && member.isRequired }

    static func initializer(_ properties: [SwiftProperty]) -> [String] {
        let parameters = properties.map { "\($0.written): \($0.type)\($0.isOptional ? " = nil" : "")" }
        let assignments = properties.map { "self.\($0.written) = \($0.written)" }
        return ["/// Creates the object from its members.", "public init(\(parameters.joined(separator: ", "))) {"]
            + SwiftWriter.indented(assignments) + ["}"]
    }

    /// Returns what the compiler would synthesize otherwise: the keys, and an encoding that writes null.
    static func coding(_ properties: [SwiftProperty]) -> [[String]] {
        let isPlain = properties.allSatisfy { $0.name == $0.member.name }
        let isNullable = properties.contains(where: \.isNullable)
        guard !isPlain || isNullable else { return [] }
        let cases = properties.map { property in
            property.name == property.member.name
                ? "case \(property.written)"
                : "case \(property.written) = \(SwiftWriter.literal(property.member.name))"
        }
        let keys = ["private enum CodingKeys: String, CodingKey {"] + SwiftWriter.indented(cases) + ["}"]
        return isNullable ? [keys, encoding(properties)] : [keys]
    }

    private static func encoding(_ properties: [SwiftProperty]) -> [String] {
        let lines = properties.map { property in
            let method = property.isOptional && !property.isNullable ? "encodeIfPresent" : "encode"
            // The parameter and the variable have these names, too.
            let owner = ["encoder", "container"].contains(property.name) ? "self." : ""
            return "try container.\(method)(\(owner)\(property.written), forKey: .\(property.written))"
        }
        let comment = "/// Writes the object, with null for a member that must be there and has no value."
        return [comment, "public func encode(to encoder: any Encoder) throws {"]
            + SwiftWriter.indented(["var container = encoder.container(keyedBy: CodingKeys.self)"] + lines) + ["}"]
    }
}
