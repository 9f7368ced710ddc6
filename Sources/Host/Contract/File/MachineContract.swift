import Access
import HTTPModel
import JSONText
package import MachineHost

/// The contract with clients: the machines of a program, with the schemas of their inputs and outputs.
///
/// As JSON, it has the members of `GET /v1/machines`, so that the response of a server can be read, too.
package struct MachineContract: Equatable, Sendable {
    package struct Machine: Equatable, Sendable {
        package var name: String
        package var summary = ""
        /// The schema of the parameters; nil if the machine takes none.
        package var parameters: JSONSchema?
        package var inputs: [Input] = []
        package var outputs: [Output] = []
    }

    package struct Input: Equatable, Sendable {
        package var name: String
        package var schema: JSONSchema
    }

    package struct Output: Equatable, Sendable {
        package var name: String
        package var kind: OutputDefinition.Kind
        package var schema: JSONSchema
        /// Whether every client sees a value from the beginning. Not a part of the file.
        package var isAlwaysPresent = false
    }

    static let format: Int64 = 1

    /// The machines, in the order of their registration.
    package var machines: [Machine]

    package init(_ definitions: [MachineDefinition]) {
        machines = definitions.map { definition in
            Machine(
                name: definition.name, summary: definition.summary, parameters: definition.parameters?.schema,
                inputs: definition.inputs.map { Input(name: $0.name, schema: $0.schema) },
                outputs: definition.outputs.map { output in
                    Output(
                        name: output.name, kind: output.kind, schema: output.schema,
                        isAlwaysPresent: definition.isAlwaysPresent(output))
                })
        }
    }

    /// The ports whose type is not known, by machine and name.
    package var untyped: [String] {
        machines.flatMap { machine in
            let inputs = machine.inputs.filter(\.schema.isUntyped).map { "the input \"\($0.name)\"" }
            let outputs = machine.outputs.filter(\.schema.isUntyped).map { "the output \"\($0.name)\"" }
            return (inputs + outputs).map { "\(machine.name): \($0)" }
        }
    }

    /// The contract as indented JSON. The text is the same for the same machines.
    package var text: String {
        let value: DocumentValue = [
            "contract": .integer(MachineContract.format), "machines": .array(machines.map(MachineContract.value)),
        ]
        var json: [UInt8] = []
        value.append(to: &json, indentation: 0)
        return String(decoding: json, as: UTF8.self)
    }

    /// The beginning of the SHA-256 of the text.
    package var hash: String {
        let digest = Array(text.utf8).withUnsafeBytes { Digest.sha256($0) }
        return Hexadecimal.text(of: digest.bytes.prefix(8))
    }

    private static func value(_ machine: Machine) -> DocumentValue {
        .members([
            ("name", .string(machine.name)), ("summary", .string(machine.summary)),
            ("parameters", machine.parameters.map { schema($0, isInput: true) }),
            (
                "inputs",
                .array(machine.inputs.map { ["name": .string($0.name), "schema": schema($0.schema, isInput: true)] })
            ),
            (
                "outputs",
                .array(
                    machine.outputs.map {
                        [
                            "name": .string($0.name), "kind": .string($0.kind.rawValue),
                            "schema": schema($0.schema, isInput: false),
                        ]
                    })
            ),
        ])
    }

    private static func schema(_ schema: JSONSchema, isInput: Bool) -> DocumentValue {
        let document = SchemaDocument(
            place: { "#/$defs/\(PercentEncoding.encode(JSONPointer.segment($0)))" }, isInput: isInput)
        let value = document.value(of: schema)
        guard case .object(let members) = value, !schema.definitions.isEmpty else { return value }
        let definitions = schema.definitions.map {
            DocumentValue.Member(name: $0.name, value: document.value(of: $0.schema))
        }
        return .object(members + [.init(name: "$defs", value: .object(definitions))])
    }
}
