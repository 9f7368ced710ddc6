import JSONText

/// A JSON object in which no object, at any depth, has two members with one name.
///
/// Parsers differ in which of two members they use. A token that two of them read differently is an attack (RFC 8725 §2.4).
struct UniqueObject {
    /// The reason why bytes are not such an object.
    enum Mismatch: Error, Equatable {
        /// Not JSON, too deep, or not an object.
        case syntax
        /// The name of the repeated member.
        case repeated(String)
    }

    private static let nestingLimit = 16

    private let members: [(name: String, value: JSONValue)]

    init(_ bytes: [UInt8]) throws(Mismatch) {
        guard let range = try? JSONScanner.document(bytes, nestingLimit: Self.nestingLimit) else { throw .syntax }
        try self.init(JSONValue(bytes: bytes, range: range))
    }

    init(_ object: JSONValue) throws(Mismatch) {
        guard object.kind == .object else { throw .syntax }
        try UniqueObject.check(object)
        members = UniqueObject.members(of: object)
    }

    /// Returns the value of a member; nil if none exists.
    subscript(name: String) -> JSONValue? {
        // Not `==`, which regards different scalars as the same character: the Kelvin sign equals the letter K.
        members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// Returns the text of a member; nil if it does not exist or is not a string.
    func string(_ name: String) -> String? { self[name]?.string }

    private static func members(of object: JSONValue) -> [(name: String, value: JSONValue)] {
        var members: [(name: String, value: JSONValue)] = []
        var scanner = JSONScanner(object.bytes, at: object.range.lowerBound)
        // The syntax has been checked.
        try? scanner.members { key, value in
            let name = JSONValue(bytes: object.bytes, range: key).string ?? ""
            members.append((name, JSONValue(bytes: object.bytes, range: value)))
        }
        return members
    }

    private static func check(_ value: JSONValue) throws(Mismatch) {
        switch value.kind {
        case .object:
            var names: Set<[UInt8]> = []
            for (name, value) in members(of: value) {
                guard names.insert(Array(name.utf8)).inserted else { throw .repeated(name) }
                try check(value)
            }
        case .array: for element in value.elements ?? [] { try check(element) }
        case .null, .boolean, .number, .string: break
        }
    }
}
