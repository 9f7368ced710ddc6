import MachineHost
import Testing

@testable import MachineTesting

struct SchemaTextTests {
    private static let tree = JSONSchema.definitions(
        .reference("Tree~/ä"),
        [
            .init(
                name: "Tree~/ä",
                schema: .object([
                    .init(name: "name", schema: .string(format: nil), isRequired: true),
                    .init(name: "children", schema: .array(.reference("Tree~/ä")), isRequired: false),
                ]))
        ])

    @Test(arguments: [
        (JSONSchema.null, ["null"], ["0", "\"\""]),
        (.any, ["null", "0", "{}"], []),
        (.boolean, ["true", "false"], ["null", "\"true\""]),
        (.integer(minimum: -1, maximum: 3), ["-1", "3", "2.0", "1e0"], ["-2", "4", "1.5", "\"1\""]),
        (.number, ["1", "-0.5e3"], ["null", "\"1\""]),
        (.string(format: "uri"), ["\"\""], ["1"]),
        (.strings(["a", "b"]), ["\"a\""], ["\"c\"", "1"]),
        (.integers([1, 2]), ["2"], ["3"]),
        (.array(.boolean), ["[]", "[true]"], ["[1]", "{}"]),
        (.dictionary(.boolean), ["{}", "{\"x\":true}"], ["{\"x\":1}", "[]"]),
        (.optional(.boolean), ["null", "true"], ["1"]),
        (
            .object([.init(name: "a", schema: .boolean, isRequired: true)]),
            ["{\"a\":true}", "{\"a\":true,\"b\":1}"], ["{}", "{\"a\":1}"]
        ),
        (
            tree, ["{\"name\":\"x\",\"children\":[{\"name\":\"y\"}]}"],
            ["{\"name\":\"x\",\"children\":[{}]}", "{\"children\":[]}"]
        ),
    ])
    func `a schema accepts its values and no others`(schema: JSONSchema, values: [String], others: [String]) throws {
        let text = try #require(SchemaText(schema))
        #expect(text.defects == [])
        for value in values { #expect(text.accepts(value) == true, "\(value)") }
        for value in others { #expect(text.accepts(value) == false, "\(value)") }
    }

    @Test(arguments: [
        ("7", "expected a schema"), ("{\"type\":\"int\"}", "expected a type"), ("{\"items\":[]}", "expected a schema"),
        ("{\"properties\":{\"a\":1}}", "expected a schema"), ("{\"properties\":[]}", "to be an object"),
        ("{\"anyOf\":[]}", "a list of schemas"), ("{\"enum\":[]}", "a list of values"),
        ("{\"required\":[1]}", "a list of names"), ("{\"minimum\":\"1\"}", "to be a number"),
        ("{\"format\":1}", "to be a string"),
        ("{\"$ref\":\"#/$defs/a\"}", "nothing is defined"), ("{\"typ\":\"null\"}", "unknown keyword"),
    ])
    func `an invalid schema has defects`(json: String, defect: String) throws {
        let defects = try #require(SchemaText(json: json)).defects
        #expect(defects.count == 1)
        #expect(defects.first?.contains(defect) == true)
    }

    @Test func `text that is not JSON is neither a schema nor a value`() {
        #expect(SchemaText(json: "{") == nil)
        #expect(SchemaText(JSONSchema.any)?.accepts("{") == nil)
    }
}
