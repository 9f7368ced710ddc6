import HTTPModel
import JSONText
import MachineHost
import MachineTesting
import Testing

@testable import Contract

struct OpenAPIDocumentTests {
    private func value(_ machine: MachineDefinition, access: HostDescription.Access = .init()) -> DocumentValue {
        OpenAPIDocument.value(
            of: HostDescription(.machine(machine), access: access), title: "Test",
            version: "1")
    }

    private func input(_ name: String, _ schema: JSONSchema) -> InputDefinition {
        InputDefinition(name: name, schema: schema) { _ in PreparedInput { _ in } }
    }

    private func machine(
        _ name: String, inputs: [InputDefinition] = [], outputs: [OutputDefinition] = []
    ) -> MachineDefinition {
        MachineDefinition(name: name, summary: "For tests.", inputs: inputs, outputs: outputs) { _ in
            throw CancellationError()
        }
    }

    /// Every reference in a value.
    private func references(in value: DocumentValue) -> [String] {
        switch value {
        case .array(let elements): elements.flatMap(references)
        case .object(let members):
            members.flatMap { member in
                if member.name == "$ref", case .string(let place) = member.value { return [place] }
                return references(in: member.value)
            }
        default: []
        }
    }

    private func expectResolvable(_ document: DocumentValue) {
        for place in Set(references(in: document)) {
            let parts = place.split(separator: "/").dropFirst().map(String.init)
            #expect(parts.reduce(document as DocumentValue?) { $0?[$1] } != nil, "\(place)")
        }
    }

    @Test func `the document of a host names those of its machines and describes no session`() throws {
        for machines in [[], [machine("a"), machine("b")]] {
            let document = OpenAPIDocument.value(of: HostDescription(.host(machines)), title: "Test", version: "1")
            expectResolvable(document)
            #expect(document["paths"]?["/v1/sessions"] == nil)
            #expect(
                document["tags"]
                    == .array(
                        machines.map { machine in
                            [
                                "name": .string(machine.name), "description": "For tests.",
                                "externalDocs": [
                                    "description": "The OpenAPI document of the machine.",
                                    "url": .string("/v1/machines/\(machine.name)/openapi.json"),
                                ],
                            ]
                        }))
        }
    }

    @Test func `the document of a host describes the documents in all forms`() {
        let document = OpenAPIDocument.value(of: HostDescription(.host([])), title: "Test", version: "1")
        for form in DescriptionForm.allCases {
            for path in ["\(form.path)", "/v1/machines/{machine}\(form.path)"] {
                let responses = document["paths"]?[path]?["get"]?["responses"]
                #expect(responses?["200"]?["content"]?[form.mediaType] != nil, "\(path)")
                #expect(responses?["304"] != nil)
            }
        }
    }

    @Test func `an input has the schema of its value and an example`() throws {
        let text = JSONSchema.string(format: nil)
        let document = value(machine("a", inputs: [input("set", .boolean), input("clear", .optional(text))]))
        expectResolvable(document)
        let paths = try #require(document["paths"])
        func body(_ name: String) -> DocumentValue? {
            paths["/v1/sessions/{session}/inputs/\(name)"]?["post"]?["requestBody"]
        }
        #expect(
            body("set") == [
                "required": true,
                "content": ["application/json": ["schema": ["type": "boolean"], "example": true]],
            ])
        // Null is a value, so the body may be missing.
        #expect(body("clear")?["required"] == false)
        #expect(
            paths["/v1/sessions"]?["post"]?["requestBody"]?["content"]?["application/json"]?["example"] == [
                "machine": "a"
            ])
    }

    @Test func `a type is one component, and one for inputs that is closed to unknown members`() throws {
        let todo = JSONSchema.named("Todo", .object([.init(name: "title", schema: .boolean, isRequired: true)]))
        let other = JSONSchema.named("Todo", .strings(["other"]))
        let document = value(
            machine(
                "a", inputs: [input("add", todo), input("change", .array(todo)), input("mark", other)],
                outputs: [
                    .init(name: "first", schema: .optional(todo), kind: .value),
                    .init(name: "all", schema: .array(todo), kind: .value),
                    .init(name: "mark", schema: other, kind: .value),
                ]))
        expectResolvable(document)
        guard case .object(let components)? = document["components"]?["schemas"] else {
            Issue.record("no components")
            return
        }
        #expect(components.map(\.name).filter { $0.hasPrefix("Todo") } == ["Todo", "Todo.2", "Todo.input"])
        let schemas = DocumentValue.object(components)
        #expect(schemas["Todo"]?["additionalProperties"] == nil)
        #expect(schemas["Todo.2"] == ["type": "string", "enum": ["other"]])
        #expect(schemas["Todo.input"]?["additionalProperties"] == false)
        #expect(
            schemas["Outputs"]?["properties"]?["all"] == [
                "type": "array", "items": ["$ref": "#/components/schemas/Todo"],
            ])
    }

    @Test func `integers have a format or the bounds of their type`() {
        for (schema, expected) in [
            (JSONSchema.of(Int.self), ["type": "integer", "format": "int64"] as DocumentValue),
            (.of(UInt64.self), ["type": "integer", "format": "uint64", "minimum": 0]),
            (.of(UInt8.self), ["type": "integer", "minimum": 0, "maximum": .unsigned(255)]),
            (.integer(minimum: 1, maximum: nil), ["type": "integer", "minimum": 1]),
        ] {
            #expect(OpenAPIComponents().schema(schema, isInput: true) == expected)
        }
    }

    @Test func `an example is a value of the schema, however deep`() throws {
        let tree = JSONSchema.object([
            .init(name: "children", schema: .array(.reference("Tree")), isRequired: true),
            .init(name: "parent", schema: .optional(.reference("Tree")), isRequired: false),
        ])
        let endless = JSONSchema.object([.init(name: "next", schema: .reference("Endless"), isRequired: true)])
        let choice = JSONSchema.object([
            .init(name: "both", schema: .array(.reference("Choice")), isRequired: false),
            .init(name: "one", schema: .boolean, isRequired: false),
        ])
        for (schema, start) in [
            (JSONSchema.definitions(.reference("Tree"), [.init(name: "Tree", schema: tree)]), #"{"children":[{"#),
            (.definitions(.reference("Endless"), [.init(name: "Endless", schema: endless)]), "null"),
            (.definitions(.reference("Choice"), [.init(name: "Choice", schema: choice)]), #"{"both":[{"both":["#),
            (.integer(minimum: 5, maximum: 9), "5"), (.integer(minimum: -9, maximum: 0), "0"),
            (.dictionary(.strings(["a", "b"])), #"{"key":"a"}"#),
            (.named("Todo", .object([.init(name: "a", schema: .number, isRequired: true)])), #"{"a":1}"#),
        ] {
            var json: [UInt8] = []
            SchemaExample.value(of: schema).append(to: &json)
            let text = String(decoding: json, as: UTF8.self)
            #expect(text.hasPrefix(start), "\(text)")
            #expect((try? JSONScanner.document(json, nestingLimit: 32)) != nil)
        }
    }

    @Test func `names with odd characters are encoded in paths and replaced in components`() throws {
        let odd = JSONSchema.named("x_ é", .strings(["a"]))
        let document = value(machine("a", inputs: [input("{x} é?", .null), input("日", odd)]))
        expectResolvable(document)
        #expect(document["paths"]?["/v1/sessions/{session}/inputs/%7Bx%7D%20%C3%A9%3F"] != nil)
        #expect(document["components"]?["schemas"]?["x___"] == ["type": "string", "enum": ["a"]])
    }

    @Test func `a recursive type is a component that refers to itself`() throws {
        let tree = JSONSchema.definitions(
            .reference("Tree"),
            [
                .init(
                    name: "Tree",
                    schema: .object([.init(name: "children", schema: .array(.reference("Tree")), isRequired: true)]))
            ])
        let document = value(
            machine(
                "a", inputs: [input("set", tree)],
                outputs: [
                    .init(name: "tree", schema: tree, kind: .value), .init(name: "old", schema: tree, kind: .value),
                ]))
        expectResolvable(document)
        let schemas = try #require(document["components"]?["schemas"])
        #expect(schemas["Tree.input"]?["additionalProperties"] == false)
        // A client ignores the members of an output that it does not know.
        #expect(schemas["Tree"]?["additionalProperties"] == nil)
        #expect(schemas["Tree"]?["properties"]?["children"]?["items"] == ["$ref": "#/components/schemas/Tree"])
        #expect(schemas["Tree.2"] == nil)
    }

    @Test func `a schema of ten thousand members is written`() {
        let members = (0..<10_000).map { JSONSchema.Member(name: "m\($0)", schema: .boolean, isRequired: true) }
        let host = HostDescription(.machine(machine("a", inputs: [input("set", .object(members))])))
        let json = OpenAPIDocument.json(of: host, title: "Test", version: "1")
        #expect((try? JSONScanner.document(json, nestingLimit: 64)) != nil)
        #expect(String(decoding: json, as: UTF8.self).contains("\"m9999\""))
    }

    @Test func `credentials and tickets are described only if the server accepts them`() {
        let open = value(machine("a"))
        #expect(open["security"] == nil && open["paths"]?["/v1/sessions/{session}/tickets"] == nil)
        let optional = value(machine("a"), access: .init(authenticates: true, issuesTickets: true))
        expectResolvable(optional)
        #expect(optional["security"] == [[:], ["credentials": []], ["cookie": []], ["ticket": []]])
        #expect(optional["paths"]?["/v1/sessions/{session}/tickets"]?["post"] != nil)
        let required = value(machine("a"), access: .init(authenticates: true, requiresCredentials: true))
        #expect(required["security"] == [["credentials": []], ["cookie": []]])
    }

    @Test func `the stream of a session is described with its messages and its fields`() throws {
        let document = value(machine("a", outputs: [.init(name: "count", schema: .boolean, kind: .value)]))
        expectResolvable(document)
        let read = try #require(document["paths"]?["/v1/sessions/{session}/stream"]?["get"])
        let responses = try #require(read["responses"])
        let message = responses["200"]?["content"]?["application/json"]?["schema"]?["items"]
        #expect(message?["required"] == ["event", "id", "data"])
        for status in ["200", "204", "304"] {
            #expect(responses[status]?["headers"]?["Stream-Next-Offset"] != nil, "\(status)")
        }
        #expect(responses["410"] != nil && responses["412"] == nil)
        #expect(references(in: read).contains("#/components/parameters/offset"))
    }

    @Test func `events are changes and not outputs`() throws {
        let document = value(
            machine("a", outputs: [.init(name: "warning", schema: .string(format: nil), kind: .event)]))
        let schemas = try #require(document["components"]?["schemas"])
        #expect(schemas["Outputs"]?["properties"] == [:])
        #expect(schemas["Changes"]?["properties"]?["$emitted"] != nil)
    }

    @Test func `text is escaped, and an indented document has the same content`() throws {
        let value: DocumentValue = ["a\"\n": ["é", .null, 1, true, [:], []], "b": [["c": "\u{1}"]]]
        var (short, long): ([UInt8], [UInt8]) = ([], [])
        value.append(to: &short)
        value.append(to: &long, indentation: 0)
        #expect(String(decoding: short, as: UTF8.self) == #"{"a\"\n":["é",null,1,true,{},[]],"b":[{"c":"\u0001"}]}"#)
        let lines = String(decoding: long, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 15 && lines[1] == #"  "a\"\n": ["#)
    }
}

extension DocumentValue {
    fileprivate subscript(name: String) -> DocumentValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}
