import MachineHost
import Testing

@testable import Contract

struct ContractDifferenceTests {
    private func contract(
        _ name: String = "counter", parameters: JSONSchema? = nil, inputs: KeyValuePairs<String, JSONSchema> = [:],
        outputs: KeyValuePairs<String, JSONSchema> = [:], events: KeyValuePairs<String, JSONSchema> = [:]
    ) -> MachineContract {
        var contract = MachineContract([])
        contract.machines = [
            .init(
                name: name, parameters: parameters, inputs: inputs.map { .init(name: $0.key, schema: $0.value) },
                outputs: outputs.map { .init(name: $0.key, kind: .value, schema: $0.value) }
                    + events.map { .init(name: $0.key, kind: .event, schema: $0.value) })
        ]
        return contract
    }

    private func texts(_ old: MachineContract, _ new: MachineContract) -> [String] {
        old.differences(to: new).map { "\($0.effect.rawValue) \($0.description)" }
    }

    private func object(_ members: KeyValuePairs<String, JSONSchema>, optional: Set<String> = []) -> JSONSchema {
        .object(members.map { .init(name: $0.key, schema: $0.value, isRequired: !optional.contains($0.key)) })
    }

    @Test func `equal contracts have no differences`() {
        let old = contract(
            parameters: object(["id": .number]), inputs: ["set": .boolean], outputs: ["count": .number],
            events: ["failed": .any])
        #expect(texts(old, old) == [])
    }

    @Test func `the removal of a machine, an input or an output breaks clients`() {
        let old = contract(inputs: ["set": .null], outputs: ["count": .number])
        #expect(texts(old, MachineContract([])) == ["breaking counter: the machine was removed"])
        #expect(
            texts(old, contract()) == [
                #"breaking counter: the input "set" was removed"#, #"breaking counter: the output "count" was removed"#,
            ])
    }

    @Test func `a new output is shown to clients, and its name may look private`() {
        let new = contract(outputs: ["count": .number, "sessionToken": .string(format: nil)])
        #expect(
            texts(contract(outputs: ["count": .number]), new) == [
                #"exposing counter: the output "sessionToken" is new: clients see it, and its name looks private"#
            ])
        #expect(
            texts(contract(), contract(outputs: ["count": .number])) == [
                #"exposing counter: the output "count" is new: clients see it"#
            ])
    }

    @Test func `a new member of an output is shown to clients`() {
        let old = contract(outputs: ["users": .array(object(["name": .boolean]))])
        let new = contract(outputs: ["users": .array(object(["name": .boolean, "passwordHash": .number]))])
        #expect(
            texts(old, new) == [
                #"exposing counter: the output "users" has a new member "passwordHash": clients see it, and its name looks private"#
            ])
        #expect(texts(new, old) == [#"breaking counter: the type of the output "users" was widened"#])
    }

    @Test func `a new machine with private-looking outputs is reported with them`() {
        #expect(
            texts(MachineContract([]), contract(outputs: ["count": .number, "secret": .number])) == [
                "exposing counter: the machine is new",
                #"exposing counter: the output "secret" is new: clients see it, and its name looks private"#,
            ])
        #expect(texts(MachineContract([]), contract()) == ["compatible counter: the machine is new"])
    }

    @Test func `a new input is compatible`() {
        #expect(
            texts(contract(), contract(inputs: ["set": .null])) == [#"compatible counter: the input "set" is new"#])
    }

    /// A narrower and a wider type.
    private static let pairs: [(JSONSchema, JSONSchema)] = [
        (.boolean, .any), (.boolean, .optional(.boolean)), (.null, .optional(.boolean)),
        (.strings(["a"]), .strings(["a", "b"])), (.strings(["a"]), .string(format: nil)),
        (.string(format: "uuid"), .string(format: nil)), (.integers([1]), .integers([1, 2])),
        (.integers([1, 127]), .integer(minimum: -128, maximum: 127)),
        (.integer(minimum: 0, maximum: 255), .integer(minimum: .min, maximum: UInt64(Int64.max))),
        (.integer(minimum: 0, maximum: 255), .integer(minimum: nil, maximum: nil)),
        (.integer(minimum: nil, maximum: nil), .number), (.array(.boolean), .array(.optional(.boolean))),
        (.dictionary(.integers([1])), .dictionary(.number)),
        (
            .object([.init(name: "a", schema: .boolean, isRequired: true)]),
            .object([.init(name: "a", schema: .boolean, isRequired: false)])
        ),
        (
            .object([.init(name: "a", schema: .boolean, isRequired: true)]),
            .object([.init(name: "a", schema: .optional(.boolean), isRequired: true)])
        ),
        // Cases of an enumeration.
        (
            .object([.init(name: "a", schema: .boolean, isRequired: false)]),
            .object([
                .init(name: "a", schema: .boolean, isRequired: false),
                .init(name: "b", schema: .null, isRequired: false),
            ])
        ),
    ]

    @Test(arguments: pairs)
    func `a wider input is compatible and a narrower one breaks clients`(narrow: JSONSchema, wide: JSONSchema) {
        let (narrower, wider) = (contract(inputs: ["set": narrow]), contract(inputs: ["set": wide]))
        #expect(texts(narrower, wider) == [#"compatible counter: the type of the input "set" was widened"#])
        #expect(texts(wider, narrower) == [#"breaking counter: the type of the input "set" was narrowed"#])
    }

    @Test(arguments: pairs)
    func `a wider output breaks clients, and a narrower one does not`(narrow: JSONSchema, wide: JSONSchema) {
        let (narrower, wider) = (contract(outputs: ["set": narrow]), contract(outputs: ["set": wide]))
        #expect(texts(narrower, wider).last == #"breaking counter: the type of the output "set" was widened"#)
        #expect(texts(wider, narrower) == [#"compatible counter: the type of the output "set" was narrowed"#])
    }

    @Test(arguments: [
        (JSONSchema.boolean, JSONSchema.number), (.array(.boolean), .boolean), (.strings(["a"]), .strings(["b"])),
        (.string(format: "uuid"), .string(format: "uri")),
    ])
    func `a type that is neither wider nor narrower breaks clients`(old: JSONSchema, new: JSONSchema) {
        #expect(
            texts(contract(inputs: ["set": old]), contract(inputs: ["set": new])) == [
                #"breaking counter: the type of the input "set" changed"#
            ])
        #expect(
            texts(contract(outputs: ["set": old]), contract(outputs: ["set": new])) == [
                #"breaking counter: the type of the output "set" changed"#
            ])
    }

    @Test func `an input with a new required member breaks clients, and one with an optional member does not`() {
        let old = contract(inputs: ["set": object(["a": .boolean])])
        let required = contract(inputs: ["set": object(["a": .boolean, "b": .boolean])])
        let optional = contract(inputs: ["set": object(["a": .boolean, "b": .boolean], optional: ["b"])])
        #expect(texts(old, required) == [#"breaking counter: the type of the input "set" changed"#])
        #expect(texts(old, optional) == [#"compatible counter: the type of the input "set" was widened"#])
    }

    @Test func `parameters that a machine begins to require break clients`() {
        let required = contract(parameters: object(["id": .number]))
        let optional = contract(parameters: object(["id": .number], optional: ["id"]))
        #expect(texts(contract(), required) == ["breaking counter: the machine requires parameters"])
        #expect(
            texts(contract(), optional) == [
                "compatible counter: the machine takes parameters, all of which may be missing"
            ])
        #expect(texts(required, contract()) == ["breaking counter: the parameters were removed"])
    }

    @Test func `an output that becomes an event breaks clients`() {
        #expect(
            texts(contract(outputs: ["failed": .number]), contract(events: ["failed": .number])) == [
                #"breaking counter: the output "failed" was a value and is an event"#
            ])
    }

    private func list(_ value: JSONSchema) -> JSONSchema {
        let next = JSONSchema.Member(name: "next", schema: .optional(.reference("List")), isRequired: false)
        let members = [JSONSchema.Member(name: "value", schema: value, isRequired: true), next]
        return .definitions(.reference("List"), [.init(name: "List", schema: .object(members))])
    }

    @Test func `recursive types are compared`() {
        let (narrow, wide) = (contract(outputs: ["list": list(.boolean)]), contract(outputs: ["list": list(.any)]))
        #expect(texts(narrow, narrow) == [])
        #expect(texts(narrow, wide) == [#"breaking counter: the type of the output "list" was widened"#])
    }

    @Test func `types that all refer to each other are compared once each`() {
        let names = (0..<40).map { "T\($0)" }
        func all(_ last: JSONSchema) -> JSONSchema {
            let members = names.map {
                JSONSchema.Member(name: $0, schema: .optional(.reference($0)), isRequired: false)
            }
            let definitions = names.map { name in
                let own = JSONSchema.Member(name: "own", schema: name == names.last ? last : .boolean, isRequired: true)
                return JSONSchema.Definition(name: name, schema: .object(members + [own]))
            }
            return .definitions(.reference(names[0]), definitions)
        }
        let contracts = [JSONSchema.boolean, .number].map { contract(outputs: ["all": all($0)]) }
        #expect(texts(contracts[0], contracts[0]) == [])
        #expect(texts(contracts[0], contracts[1]).count == 1)
    }

    @Test func `a reference that leads to itself ends the comparison`() {
        let loop = JSONSchema.definitions(.reference("A"), [.init(name: "A", schema: .reference("A"))])
        #expect(texts(contract(inputs: ["a": loop]), contract(inputs: ["a": .boolean])).count == 1)
    }
}
