import MachineHost
import Testing

/// Schemas of types that describe what they encode.
struct JSONShapeTests {
    private struct Player: Encodable, JSONDescribed {
        enum Role: String, Encodable {
            case guest
            case host
        }

        static var jsonShape: JSONShape {
            .members(["name": String.self, "nickname": String?.self, "role": Role.self, "scores": [Bool].self])
        }
    }

    private static let player = JSONSchema.object([
        .init(name: "name", schema: .string(format: nil), isRequired: true),
        .init(name: "nickname", schema: .optional(.string(format: nil)), isRequired: false),
        .init(name: "role", schema: .strings(["guest", "host"]), isRequired: true),
        .init(name: "scores", schema: .array(.boolean), isRequired: true),
    ])

    @Test func `a type that is only encoded has the schema that it describes`() {
        #expect(JSONSchema.of(encodable: Player.self).plain == Self.player)
        #expect(JSONSchema.of(encodable: [Player]?.self).plain == .optional(.array(Self.player)))
    }

    private struct Team: Encodable, JSONDescribed {
        static var jsonShape: JSONShape { .array(of: Player?.self) }
    }

    @Test func `a shape may be an array`() {
        #expect(JSONSchema.of(encodable: Team.self).plain == .array(.optional(Self.player)))
    }

    private struct Tree: Encodable, JSONDescribed {
        let branches: [Tree]
        static var jsonShape: JSONShape { .members(["branches": [Tree].self]) }
    }

    @Test func `a type that describes itself with itself becomes a definition`() {
        let tree = JSONSchema.object([
            .init(name: "branches", schema: .array(.reference("Tree")), isRequired: true)
        ])
        #expect(
            JSONSchema.of(encodable: Tree.self).plain
                == .definitions(.reference("Tree"), [.init(name: "Tree", schema: tree)]))
    }

    private struct Null: Encodable, JSONDescribed {
        static var jsonShape: JSONShape { .object([.init("label", String?.self)]) }
    }

    @Test func `a member that is written as null is required`() {
        let label = JSONSchema.Member(name: "label", schema: .optional(.string(format: nil)), isRequired: true)
        #expect(JSONSchema.of(encodable: Null.self).plain == .object([label]))
    }

    private struct Both: Codable, JSONDescribed {
        var isOn: Bool
        static var jsonShape: JSONShape { .members(["other": String.self]) }
    }

    @Test func `the schema of a type that can be decoded is what it decodes`() {
        let isOn = JSONSchema.Member(name: "isOn", schema: .boolean, isRequired: true)
        #expect(JSONSchema.of(encodable: Both.self).plain == .object([isOn]))
    }
}
