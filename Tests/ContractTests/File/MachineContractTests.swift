import JSONText
import MachineHost
import Testing

@testable import Contract

struct MachineContractTests {
    private static let list = JSONSchema.definitions(
        .reference("List/1"),
        [
            .init(
                name: "List/1",
                schema: .object([
                    .init(name: "next", schema: .optional(.reference("List/1")), isRequired: false)
                ]))
        ])

    /// One of each schema.
    private static let schemas: [JSONSchema] = [
        .null, .any, .boolean, .number, .integer(minimum: nil, maximum: nil), .integer(minimum: -128, maximum: 127),
        .integer(minimum: 0, maximum: .max), .string(format: nil), .string(format: "uuid"), .string(format: "base64"),
        .strings(["a", "\"b\""]), .integers([-1, 2]), .array(.boolean), .dictionary(.number),
        .optional(.array(.any)), .object([]),
        .object([
            .init(name: "a", schema: .boolean, isRequired: true), .init(name: "b", schema: .number, isRequired: false),
        ]), list,
    ]

    private func contract(inputs: [JSONSchema] = [], outputs: [JSONSchema] = []) -> MachineContract {
        MachineContract([
            MachineDefinition(
                name: "counter", summary: "Counts.",
                inputs: inputs.enumerated().map { index, schema in
                    InputDefinition(name: "input\(index)", schema: schema) { _ in PreparedInput { _ in } }
                },
                outputs: outputs.enumerated().map { index, schema in
                    OutputDefinition(name: "output\(index)", schema: schema, kind: index == 0 ? .event : .value)
                }, make: { _ in throw CancellationError() })
        ])
    }

    @Test func `a contract is read as it was written`() throws {
        var written = contract(inputs: Self.schemas + [.open([])], outputs: Self.schemas)
        written.machines[0].parameters = .object([.init(name: "id", schema: .number, isRequired: true)])
        #expect(try MachineContract(reading: Array(written.text.utf8)) == written)
    }

    @Test func `the text has a line for each part, so that changes of it can be reviewed`() {
        #expect(
            contract(inputs: [.null], outputs: [.boolean]).text == """
                {
                  "contract": 1,
                  "machines": [
                    {
                      "name": "counter",
                      "summary": "Counts.",
                      "inputs": [
                        {
                          "name": "input0",
                          "schema": {
                            "type": "null"
                          }
                        }
                      ],
                      "outputs": [
                        {
                          "name": "output0",
                          "kind": "event",
                          "schema": {
                            "type": "boolean"
                          }
                        }
                      ]
                    }
                  ]
                }
                """)
    }

    @Test func `inputs and outputs whose type is not known are listed`() {
        #expect(
            contract(inputs: [.boolean, .array(.any)], outputs: [.any]).untyped == [
                #"counter: the input "input1""#, #"counter: the output "output0""#,
            ])
    }

    @Test(arguments: [
        ("", "expected JSON, got other text"),
        ("[]", #"expected an object with the array "machines""#),
        (
            #"{"contract":2,"machines":[]}"#,
            "expected a contract of the format 1, got the format 2: write it again with this version"
        ),
        (#"{"machines":[{}]}"#, #"a machine: expected the string "name""#),
        (
            #"{"machines":[{"name":"a","inputs":[{"name":"b"}]}]}"#,
            #"the input "b" of the machine "a": expected a "schema""#
        ),
        (
            #"{"machines":[{"name":"a","inputs":[{"name":"b","schema":{"not":true}}]}]}"#,
            #"the input "b" of the machine "a": unknown schema {"not":true}"#
        ),
        (
            #"{"machines":[{"name":"a","outputs":[{"name":"b","kind":"c","schema":true}]}]}"#,
            #"the output "b" of the machine "a": expected the kind value or event"#
        ),
    ])
    func `a text that is not a contract is refused with the place`(text: String, message: String) {
        #expect(throws: ContractError(description: message)) { try MachineContract(reading: Array(text.utf8)) }
    }
}
