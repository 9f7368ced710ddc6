import Testing

@testable import MachineHost

struct SchemaDefinitionTests {
    private struct Folder: Codable {
        var name: String
        var folders: [Folder]
    }

    private func folder(_ name: String = "Folder", children: String = "folders") -> JSONSchema {
        .definitions(.reference(name), [.init(name: name, schema: object(name, children))])
    }

    private func object(_ name: String, _ children: String) -> JSONSchema {
        .object([.init(name: children, schema: .array(.reference(name)), isRequired: true)])
    }

    private func member(_ name: String, _ schema: JSONSchema) -> JSONSchema.Member {
        .init(name: name, schema: schema, isRequired: true)
    }

    @Test func `definitions inside a schema move to the outermost place`() {
        let reference = JSONSchema.reference("Folder")
        let definition = JSONSchema.Definition(name: "Folder", schema: object("Folder", "folders"))
        for (schema, expected) in [
            (JSONSchema.array(folder()), JSONSchema.array(reference)), (.optional(folder()), .optional(reference)),
            (.dictionary(folder()), .dictionary(reference)), (folder(), reference),
            (.object([member("a", .array(folder()))]), .object([member("a", .array(reference))])),
            (.open([member("a", folder())]), .open([member("a", reference)])),
        ] {
            #expect(schema.withOutermostDefinitions == .definitions(expected, [definition]))
        }
        #expect(JSONSchema.array(.boolean).withOutermostDefinitions == .array(.boolean))
    }

    @Test func `the same definition is kept once, and another one with its name gets another name`() {
        let schema = JSONSchema.object([
            member("a", folder()), member("b", folder()), member("c", folder(children: "entries")),
        ])
        #expect(
            schema.withOutermostDefinitions
                == .definitions(
                    .object([
                        member("a", .reference("Folder")), member("b", .reference("Folder")),
                        member("c", .reference("Folder2")),
                    ]),
                    [
                        .init(name: "Folder", schema: object("Folder", "folders")),
                        .init(name: "Folder2", schema: object("Folder2", "entries")),
                    ]))
    }

    @Test func `inputs and outputs have their definitions in the outermost place`() {
        let schema = JSONSchema.array(.of(Folder.self))
        let output = OutputDefinition(name: "folders", schema: schema, kind: .value)
        guard case .definitions(.array(.reference), let definitions) = output.schema else {
            Issue.record("expected definitions, got \(output.schema)")
            return
        }
        #expect(definitions.count == 1)
    }
}
