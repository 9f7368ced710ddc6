import Foundation
import Testing

@testable import MachineHost

/// JSON Schemas derived from Swift types.
struct SchemaTests {
    private static let int = JSONSchema.integer(minimum: .min, maximum: UInt64(Int64.max))
    private static let string = JSONSchema.string(format: nil)

    private func member(_ name: String, _ schema: JSONSchema, required: Bool = true) -> JSONSchema.Member {
        .init(name: name, schema: schema, isRequired: required)
    }

    @Test func `scalars have their JSON types`() {
        #expect(JSONSchema.of(Bool.self).plain == .boolean)
        #expect(JSONSchema.of(String.self).plain == .string(format: nil))
        #expect(JSONSchema.of(Double.self).plain == .number)
        #expect(JSONSchema.of(Float.self).plain == .number)
        #expect(JSONSchema.of(Decimal.self).plain == .number)
    }

    @Test func `integers have the bounds of their type`() {
        #expect(JSONSchema.of(Int8.self).plain == .integer(minimum: -128, maximum: 127))
        #expect(JSONSchema.of(UInt8.self).plain == .integer(minimum: 0, maximum: 255))
        #expect(JSONSchema.of(Int32.self).plain == .integer(minimum: -2_147_483_648, maximum: 2_147_483_647))
        #expect(JSONSchema.of(UInt64.self).plain == .integer(minimum: 0, maximum: .max))
        #expect(JSONSchema.of(Int.self).plain == .integer(minimum: .min, maximum: UInt64(Int64.max)))
    }

    @Test func `Foundation's values are strings with a format`() {
        #expect(JSONSchema.of(Date.self).plain == .string(format: "date-time"))
        #expect(JSONSchema.of(URL.self).plain == .string(format: "uri"))
        #expect(JSONSchema.of(UUID.self).plain == .string(format: "uuid"))
        #expect(JSONSchema.of(Data.self).plain == .string(format: "base64"))
    }

    @Test func `containers include the schemas of their elements`() {
        #expect(JSONSchema.of([[Bool]].self).plain == .array(.array(.boolean)))
        #expect(JSONSchema.of(Set<String>.self).plain == .array(Self.string))
        #expect(JSONSchema.of([String: Int?].self).plain == .dictionary(.optional(Self.int)))
        #expect(JSONSchema.of([Int: Bool].self).plain == .dictionary(.boolean))
        #expect(JSONSchema.of([UUID: Bool].self).plain == .array(.any))
        #expect(JSONSchema.of(Bool??.self).plain == .optional(.boolean))
        #expect(JSONSchema.of(ClosedRange<Int>.self).plain == .array(Self.int))
    }

    struct Repository: Codable {
        var id: Int
        var fullName: String
        var description: String?
        var url: URL
        var topics: [String]
        var owner: Owner

        struct Owner: Codable {
            var login: String
            var isVerified: Bool?
        }

        enum CodingKeys: String, CodingKey {
            case id
            case fullName = "full_name"
            case description, url, topics, owner
        }
    }

    @Test func `a structure is an object with its coding keys in order`() {
        #expect(
            JSONSchema.of(Repository.self).plain
                == .object([
                    member("id", Self.int),
                    member("full_name", Self.string),
                    member("description", .optional(Self.string), required: false),
                    member("url", .string(format: "uri")),
                    member("topics", .array(Self.string)),
                    member(
                        "owner",
                        .object([
                            member("login", Self.string),
                            member("isVerified", .optional(.boolean), required: false),
                        ])),
                ]))
    }

    struct Tree: Codable {
        var value: Int
        var children: [Tree]
    }

    @Test func `a type that contains itself becomes a reference`() {
        let tree = JSONSchema.object([member("value", Self.int), member("children", .array(.reference("Tree")))])
        #expect(
            JSONSchema.of(Tree.self).plain == .definitions(.reference("Tree"), [.init(name: "Tree", schema: tree)]))
        #expect(
            JSONSchema.of([Tree].self).plain
                == .definitions(.array(.reference("Tree")), [.init(name: "Tree", schema: tree)]))
    }

    final class Node: Codable {
        var next: Node?
    }

    struct Folder: Codable {
        var files: [File]
    }

    struct File: Codable {
        var parent: [Folder]
        var mirror: Folder?
    }

    @Test func `mutually recursive types have finite schemas`() {
        let node = JSONSchema.object([member("next", .optional(.reference("Node")), required: false)])
        #expect(JSONSchema.of(Node.self).plain == .definitions(.reference("Node"), [.init(name: "Node", schema: node)]))
        let file = JSONSchema.object([
            member("parent", .array(.reference("Folder"))),
            member("mirror", .optional(.reference("Folder")), required: false),
        ])
        let folder = JSONSchema.object([member("files", .array(file))])
        #expect(
            JSONSchema.of(Folder.self).plain
                == .definitions(.reference("Folder"), [.init(name: "Folder", schema: folder)]))
    }

    enum Player: String, Codable {
        case o, x
        case nobody = "-"
    }

    enum Level: Int, Codable {
        case low = 1
        case high = 10
    }

    enum Side: String, Codable, CaseIterable {
        case left, right
    }

    enum Single: String, Codable, CaseIterable {
        case only
    }

    struct Tag: RawRepresentable, Codable {
        var rawValue: String
    }

    @Test func `objects and enumerations have the names of their types, and other values have none`() {
        struct Page<Item: Decodable>: Decodable { let items: [Item], next: Side? }
        #expect(JSONSchema.of(Side.self) == .named("Side", .strings(["left", "right"])))
        #expect(JSONSchema.of([Level?].self) == .array(.optional(.named("Level", .integers([1, 10])))))
        guard case .named("Page_Bool_", .object(let members)) = JSONSchema.of(Page<Bool>.self) else {
            Issue.record("expected a name, got \(JSONSchema.of(Page<Bool>.self))")
            return
        }
        #expect(members.map(\.schema) == [.array(.boolean), .optional(JSONSchema.of(Side.self))])
        // A recursive type has its name as a definition.
        guard case .definitions(.reference("Tree"), let definitions) = JSONSchema.of(Tree.self) else {
            Issue.record("expected a definition, got \(JSONSchema.of(Tree.self))")
            return
        }
        #expect(definitions.map(\.name) == ["Tree"])
        // The name is no part of the JSON Schema.
        var (named, plain): ([UInt8], [UInt8]) = ([], [])
        JSONSchema.of([Player?].self).append(to: &named)
        JSONSchema.of([Player?].self).plain.append(to: &plain)
        #expect(named == plain)
    }

    @Test func `an enumeration with raw values lists them`() {
        #expect(JSONSchema.of(Player.self).plain == .strings(["o", "x", "-"]))
        #expect(JSONSchema.of(Level.self).plain == .integers([1, 10]))
        #expect(JSONSchema.of(Side.self).plain == .strings(["left", "right"]))
        #expect(JSONSchema.of(Single.self).plain == .strings(["only"]))
        #expect(JSONSchema.of([Player?].self).plain == .array(.optional(.strings(["o", "x", "-"]))))
    }

    @Test func `a structure around a raw value has the schema of the raw value`() {
        #expect(JSONSchema.of(Tag.self).plain == Self.string)
    }

    struct Square: Codable {
        var level: Level
        var player: Player
        var after: Bool
    }

    @Test func `a member that rejects zero does not hide the members after it`() {
        #expect(
            JSONSchema.of(Square.self).plain
                == .object([
                    member("level", .integers([1, 10])), member("player", .strings(["o", "x", "-"])),
                    member("after", .boolean),
                ]))
    }

    enum Shape: Codable {
        case circle(radius: Double)
        case rectangle(width: Double, height: Double?)
        case named(String)
        case nothing
    }

    @Test func `an enumeration with associated values has a member for each case`() {
        #expect(
            JSONSchema.of(Shape.self).plain
                == .object([
                    member("circle", .object([member("radius", .number)]), required: false),
                    member(
                        "rectangle",
                        .object([member("width", .number), member("height", .optional(.number), required: false)]),
                        required: false),
                    member("named", .object([member("_0", Self.string)]), required: false),
                    member("nothing", .object([]), required: false),
                ]))
    }

    indirect enum Expression: Codable {
        case sum(Expression, Expression)
        case number(Int)
    }

    @Test func `a recursive enumeration has a finite schema`() {
        let reference = JSONSchema.reference("Expression")
        let expression = JSONSchema.object([
            member("sum", .object([member("_0", reference), member("_1", reference)]), required: false),
            member("number", .object([member("_0", Self.int)]), required: false),
        ])
        #expect(
            JSONSchema.of(Expression.self).plain
                == .definitions(reference, [.init(name: "Expression", schema: expression)]))
    }

    struct Positive: Decodable {
        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer().decode(Int.self)
            guard value > 0 else { throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "")) }
        }
    }

    struct Fussy: Decodable {
        init(from decoder: any Decoder) throws {
            _ = try decoder.container(keyedBy: Repository.CodingKeys.self).decode(Int.self, forKey: .id)
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "never"))
        }
    }

    struct TextOrNumber: Decodable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if (try? container.decode(Int.self)) == nil { _ = try container.decode(String.self) }
        }
    }

    @Test func `a type that rejects zero is tried with other values, and one that rejects all is any`() {
        #expect(JSONSchema.of(Positive.self).plain == Self.int)
        #expect(JSONSchema.of(Fussy.self).plain == .any)
        #expect(JSONSchema.of([Fussy].self).plain == .array(.any))
        #expect(JSONSchema.of(TextOrNumber.self).plain == .any)
    }

    struct Nested: Decodable {
        enum Keys: String, CodingKey { case outer, list, maybe }
        enum Inner: String, CodingKey { case value }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            let inner = try container.nestedContainer(keyedBy: Inner.self, forKey: .outer)
            _ = try inner.decode(Bool.self, forKey: .value)
            var list = try container.nestedUnkeyedContainer(forKey: .list)
            while !list.isAtEnd { _ = try list.decode(UInt8.self) }
            if container.contains(.maybe) { _ = try container.decode(Bool.self, forKey: .maybe) }
        }
    }

    @Test func `nested containers are followed`() {
        #expect(
            JSONSchema.of(Nested.self).plain
                == .object([
                    member("outer", .object([member("value", .boolean)])),
                    member("list", .array(.integer(minimum: 0, maximum: 255))),
                    member("maybe", .boolean, required: false),
                ]))
    }

    class Base: Decodable {
        var id: Int = 0
    }

    final class Derived: Base {
        var name = ""

        enum Keys: String, CodingKey { case name }

        required init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .name)
            try super.init(from: decoder)
        }
    }

    @Test func `a superclass contributes its members`() {
        #expect(JSONSchema.of(Derived.self).plain == .object([member("name", Self.string), member("id", Self.int)]))
    }

    struct Written: Encodable {
        var count = 0
    }

    enum WrittenSide: String, Encodable {
        case left, right
    }

    @Test func `a type that is only Encodable has the schema of its encoded form`() {
        #expect(JSONSchema.of(encodable: Written.self).plain == .any)
        #expect(JSONSchema.of(encodable: [Written]?.self).plain == .optional(.array(.any)))
        #expect(JSONSchema.of(encodable: [String: Written].self).plain == .dictionary(.any))
        #expect(JSONSchema.of(encodable: [WrittenSide].self).plain == .array(.strings(["left", "right"])))
        #expect(JSONSchema.of(encodable: Bool.self).plain == .boolean)
    }

    struct Loose: Decodable {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            _ = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: Key(stringValue: "a"))
        }
    }

    struct Strict: Decodable {
        var a: Bool
        var loose: [Loose]
    }

    @Test func `an input's schema rejects the members that the server rejects, and an output's schema rejects none`() {
        let schema = JSONSchema.of(Strict.self).plain
        func text(isInput: Bool) -> String {
            var json: [UInt8] = []
            schema.append(to: &json, isInput: isInput)
            return String(decoding: json, as: UTF8.self)
        }
        let input = text(isInput: true)
        #expect(input.hasSuffix(#""required":["a","loose"],"additionalProperties":false}"#), "\(input)")
        #expect(input.components(separatedBy: "additionalProperties").count == 2)
        #expect(!text(isInput: false).contains("additionalProperties"))
    }
}
