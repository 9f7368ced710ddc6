import JSONText
import MachineHost

/// The reason why a text is not a contract.
package struct ContractError: Error, Equatable, CustomStringConvertible {
    package let description: String

    /// Creates an error.
    ///
    /// - Parameter description: What was expected, and what was received.
    package init(description: String) {
        self.description = description
    }
}

extension MachineContract {
    /// Reads a contract, or the response to `GET /v1/machines`.
    package init(reading json: [UInt8]) throws(ContractError) {
        let range: Range<Int>
        do throws(JSONSyntaxError) {
            range = try JSONScanner.document(json, nestingLimit: 512)
        } catch {
            throw ContractError(description: "expected JSON, got other text")
        }
        let document = JSONValue(bytes: json, range: range)
        if let format = document.member("contract").map({ String(decoding: $0.slice, as: UTF8.self) }),
            format != "\(MachineContract.format)"
        {
            throw ContractError(
                description:
                    "expected a contract of the format \(MachineContract.format), got the format \(format): write it again with this version"
            )
        }
        guard let elements = document.member("machines")?.elements else {
            throw ContractError(description: "expected an object with the array \"machines\"")
        }
        machines = []
        for element in elements { machines.append(try MachineContract.machine(element)) }
    }

    private static func machine(_ value: JSONValue) throws(ContractError) -> Machine {
        var machine = Machine(name: try text("name", of: value, "a machine"))
        let place = "the machine \"\(machine.name)\""
        machine.summary = value.member("summary")?.string ?? ""
        if let parameters = value.member("parameters") {
            machine.parameters = try SchemaReader.schema(parameters, isInput: true, "the parameters of \(place)")
        }
        for input in value.member("inputs")?.elements ?? [] {
            let name = try text("name", of: input, "an input of \(place)")
            machine.inputs.append(
                Input(name: name, schema: try schema(of: input, isInput: true, "the input \"\(name)\" of \(place)")))
        }
        for output in value.member("outputs")?.elements ?? [] {
            let name = try text("name", of: output, "an output of \(place)")
            let what = "the output \"\(name)\" of \(place)"
            guard let kind = OutputDefinition.Kind(rawValue: try text("kind", of: output, what)) else {
                throw ContractError(description: "\(what): expected the kind value or event")
            }
            machine.outputs.append(
                Output(name: name, kind: kind, schema: try schema(of: output, isInput: false, what)))
        }
        return machine
    }

    private static func text(_ name: String, of value: JSONValue, _ place: String) throws(ContractError) -> String {
        guard let text = value.member(name)?.string else {
            throw ContractError(description: "\(place): expected the string \"\(name)\"")
        }
        return text
    }

    private static func schema(
        of port: JSONValue, isInput: Bool, _ place: String
    ) throws(ContractError) -> JSONSchema {
        guard let schema = port.member("schema") else {
            throw ContractError(description: "\(place): expected a \"schema\"")
        }
        return try SchemaReader.schema(schema, isInput: isInput, place)
    }
}
