import JSONText

/// A JSON value of a stored state, as migrations read and write it.
public enum StateValue: Equatable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A number as it is written, so that no digit is lost.
    case number(String)
    /// A string.
    case string(String)
    /// An array.
    case array([StateValue])
    /// An object.
    case object([String: StateValue])

    /// The maximum depth of stored JSON.
    package static let nestingLimit = 512

    /// Parses JSON text.
    ///
    /// - Throws: If the text is not JSON, or nested deeper than 512 levels.
    public init(json: some Sequence<UInt8>) throws {
        let bytes = Array(json)
        let range: Range<Int>
        do {
            range = try JSONScanner.document(bytes, nestingLimit: Self.nestingLimit)
        } catch {
            throw StateFormMismatch(expected: "JSON")
        }
        self.init(JSONValue(bytes: bytes, range: range), in: JSONReading(bytes))
    }

    private init(_ value: JSONValue, in reading: JSONReading) {
        switch value.kind {
        case .null: self = .null
        case .boolean: self = .boolean(value.slice.first == UInt8(ascii: "t"))
        case .number: self = .number(String(decoding: value.slice, as: UTF8.self))
        case .string: self = .string(value.string ?? "")
        case .array: self = .array((value.elements ?? []).map { StateValue($0, in: reading) })
        case .object:
            var members: [String: StateValue] = [:]
            for member in reading.members(of: value) {
                members[member.name] = StateValue(JSONValue(bytes: value.bytes, range: member.value), in: reading)
            }
            self = .object(members)
        }
    }

    /// Appends the value as JSON text, with the members of objects in the order of their names.
    public func append(to json: inout [UInt8]) {
        switch self {
        case .null: json.append(contentsOf: "null".utf8)
        case .boolean(let value): json.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let text): json.append(contentsOf: text.utf8)
        case .string(let text): JSONWriter.append(text, to: &json)
        case .array(let elements):
            json.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                element.append(to: &json)
            }
            json.append(UInt8(ascii: "]"))
        case .object(let members):
            json.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                JSONWriter.append(member.key, to: &json)
                json.append(UInt8(ascii: ":"))
                member.value.append(to: &json)
            }
            json.append(UInt8(ascii: "}"))
        }
    }

    /// The JSON text.
    public var json: [UInt8] {
        var json: [UInt8] = []
        append(to: &json)
        return json
    }

    /// The value as a whole number; nil for other values.
    public var integer: Int? {
        if case .number(let text) = self { Int(text) } else { nil }
    }

    /// The text of a string; nil for other values.
    public var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The member of an object with a name; nil for other values and missing members. Setting one makes the value an
    /// object.
    public subscript(member: String) -> StateValue? {
        get {
            if case .object(let members) = self { members[member] } else { nil }
        }
        set {
            var members: [String: StateValue] = [:]
            if case .object(let known) = self { members = known }
            members[member] = newValue
            self = .object(members)
        }
    }
}

extension StateValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a number.
    public init(integerLiteral value: Int) { self = .number("\(value)") }
    /// Creates a boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Creates `null`.
    public init(nilLiteral: ()) { self = .null }
    /// Creates an array.
    public init(arrayLiteral elements: StateValue...) { self = .array(elements) }
    /// Creates an object. The last of several members with one name counts.
    public init(dictionaryLiteral elements: (String, StateValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
