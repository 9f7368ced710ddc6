import HTTPModel
import JSONText
import MachineHost
import MachineTesting
import Testing

@testable import Contract

struct OpenAPIDocumentTests {
    private func value(
        _ machines: [MachineDefinition], access: HostDescription.Access = .init()
    ) -> DocumentValue {
        OpenAPIDocument.value(
            of: HostDescription(machines: machines.map { .init($0) }, access: access), title: "Test", version: "1")
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

    @Test func `a host without machines has a document in which no session can be created`() throws {
        let document = value([])
        expectResolvable(document)
        let post = try #require(document["paths"]?["/v1/sessions"]?["post"])
        #expect(post["requestBody"]?["content"]?["application/json"]?["schema"] == ["not": [:]])
    }

    @Test func `an input of several machines is one operation that accepts the values of all`() throws {
        let document = value([
            machine("a", inputs: [input("set", .boolean)]), machine("b", inputs: [input("set", .null)]),
        ])
        expectResolvable(document)
        let post = try #require(document["paths"]?["/v1/sessions/{session}/inputs/set"]?["post"])
        #expect(post["tags"] == ["a", "b"])
        #expect(
            post["requestBody"]?["content"]?["application/json"]?["schema"] == [
                "anyOf": [["$ref": "#/components/schemas/a.input.set"], ["$ref": "#/components/schemas/b.input.set"]]
            ])
        // The value of one of them may be missing.
        #expect(post["requestBody"]?["required"] == false)
    }

    @Test func `names with odd characters are encoded in paths and replaced in components`() throws {
        let document = value([
            machine("a", inputs: [input("{x} é?", .null), input("_x_ __", .boolean), input("日", .null)])
        ])
        expectResolvable(document)
        #expect(document["paths"]?["/v1/sessions/{session}/inputs/%7Bx%7D%20%C3%A9%3F"] != nil)
        let schemas = try #require(document["components"]?["schemas"])
        #expect(schemas["a.input._x_ __"] == nil)
        #expect(schemas["a.input._x____"] == ["type": "null"])
        #expect(schemas["a.input._x____.2"] == ["type": "boolean"])
    }

    @Test func `a recursive type is a component that refers to itself`() throws {
        let tree = JSONSchema.definitions(
            .reference("Tree"),
            [
                .init(
                    name: "Tree",
                    schema: .object([.init(name: "children", schema: .array(.reference("Tree")), isRequired: true)]))
            ])
        let document = value([
            machine("a", inputs: [input("set", tree)], outputs: [.init(name: "tree", schema: tree, kind: .value)])
        ])
        expectResolvable(document)
        let schemas = try #require(document["components"]?["schemas"])
        #expect(schemas["a.input.set"] == ["$ref": "#/components/schemas/a.input.set.Tree"])
        #expect(schemas["a.input.set.Tree"]?["additionalProperties"] == false)
        // A client ignores the members of an output that it does not know.
        #expect(schemas["a.output.tree.Tree"]?["additionalProperties"] == nil)
        #expect(
            schemas["a.output.tree.Tree"]?["properties"]?["children"]?["items"] == [
                "$ref": "#/components/schemas/a.output.tree.Tree"
            ])
    }

    @Test func `a schema of ten thousand members is written`() {
        let members = (0..<10_000).map { JSONSchema.Member(name: "m\($0)", schema: .boolean, isRequired: true) }
        let host = HostDescription(machines: [.init(machine("a", inputs: [input("set", .object(members))]))])
        let json = OpenAPIDocument.json(of: host, title: "Test", version: "1")
        #expect((try? JSONScanner.document(json, nestingLimit: 64)) != nil)
        #expect(String(decoding: json, as: UTF8.self).contains("\"m9999\""))
    }

    @Test func `credentials and tickets are described only if the server accepts them`() {
        let open = value([])
        #expect(open["security"] == nil && open["paths"]?["/v1/sessions/{session}/tickets"] == nil)
        let optional = value([], access: .init(authenticates: true, issuesTickets: true))
        expectResolvable(optional)
        #expect(optional["security"] == [[:], ["credentials": []], ["cookie": []], ["ticket": []]])
        #expect(optional["paths"]?["/v1/sessions/{session}/tickets"]?["post"] != nil)
        let required = value([], access: .init(authenticates: true, requiresCredentials: true))
        #expect(required["security"] == [["credentials": []], ["cookie": []]])
    }

    @Test func `events are changes and not outputs`() throws {
        let document = value([
            machine("a", outputs: [.init(name: "warning", schema: .string(format: nil), kind: .event)])
        ])
        let schemas = try #require(document["components"]?["schemas"])
        #expect(schemas["a.outputs"]?["properties"] == [:])
        #expect(schemas["a.changes"]?["properties"]?["$emitted"] != nil)
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
