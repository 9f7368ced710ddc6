import HTTPModel
import JSONText

/// A machine's definition, with lookup tables and text that are computed once. Immutable and shared by all loops.
final class RegisteredMachine: Sendable {
    let definition: MachineDefinition
    let durability: Durability
    /// The content of `GET /v1/machines/{machine}`.
    let json: [UInt8]
    /// `"name":` for each output, as it is written into every change.
    let outputKeys: [[UInt8]]
    /// All of ``outputKeys``, one after another, and the ends of each. A copy of one array retains nothing.
    private let keyText: [UInt8]
    private let keyEnds: [Int]
    /// Whether each output has a value. Read from here, because a copy of a definition retains each of its parts.
    let hasValue: [Bool]
    /// The number of inputs and outputs.
    let portCount: Int
    /// The views of the machine; nil if everyone sees all outputs.
    let views: RegisteredViews?
    private let inputs: [String: Int]
    private let outputs: [String: Int]

    init(_ definition: MachineDefinition, durability: Durability = .memory) {
        self.definition = definition
        self.durability = durability
        inputs = Dictionary(uniqueKeysWithValues: definition.inputs.enumerated().map { ($1.name, $0) })
        outputs = Dictionary(uniqueKeysWithValues: definition.outputs.enumerated().map { ($1.name, $0) })
        outputKeys = definition.outputs.map { output in
            var key: [UInt8] = []
            JSONWriter.append(output.name, to: &key)
            key.append(UInt8(ascii: ":"))
            return key
        }
        keyText = Array(outputKeys.joined())
        keyEnds = outputKeys.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        assert(
            keyEnds.count == outputKeys.count + 1 && keyEnds.last == keyText.count,
            "expected the ends of \(outputKeys.count) keys in \(keyText.count) bytes")
        hasValue = definition.outputs.map { $0.kind == .value }
        portCount = definition.inputs.count + definition.outputs.count
        json = RegisteredMachine.json(of: definition, durability, only: nil)
        views = definition.outputViews.map { views in
            RegisteredViews(views, of: definition) { filter in
                RegisteredMachine.json(of: definition, durability, only: filter)
            }
        }
    }

    /// The names of the inputs, for messages.
    var inputNames: String { definition.inputs.map { "\"\($0.name)\"" }.joined(separator: ", ") }

    /// Returns the place of an input in the registration, and the closure that reads its values; nil if no input has the name.
    func reader(
        ofInput name: String
    ) -> (place: Int, read: @Sendable (ArraySlice<UInt8>) throws(InputMismatch) -> PreparedInput)? {
        let inputs = definition.inputs
        // Comparing a few short names is faster than hashing one, and every input request calls this method.
        guard inputs.count <= 8 else { return self.inputs[name].map { ($0, inputs[$0].prepare) } }
        for (place, input) in inputs.enumerated() where input.name == name { return (place, input.prepare) }
        return nil
    }

    /// Appends `"name":` of an output.
    func appendKey(ofOutput index: Int, to bytes: inout [UInt8]) {
        bytes.append(copyOf: keyText, keyEnds[index]..<keyEnds[index + 1])
    }

    /// The number of bytes that all keys of outputs have together.
    var keyByteCount: Int { keyText.count }

    func output(named name: String) -> Int? { outputs[name] }

    private static func json(
        of definition: MachineDefinition, _ durability: Durability, only filter: OutputFilter?
    ) -> [UInt8] {
        var json = Array("{\"name\":".utf8)
        JSONWriter.append(definition.name, to: &json)
        json.append(",\"summary\":")
        JSONWriter.append(definition.summary, to: &json)
        json.append(",\"durability\":\"")
        json.append(contentsOf: durability.rawValue.utf8)
        json.append(UInt8(ascii: "\""))
        if let parameters = definition.parameters {
            json.append(",\"parameters\":")
            parameters.schema.append(to: &json, isInput: true)
        }
        json.append(",\"inputs\":[")
        for (index, input) in definition.inputs.enumerated() {
            json.append(index == 0 ? "{\"name\":" : ",{\"name\":")
            JSONWriter.append(input.name, to: &json)
            json.append(",\"schema\":")
            input.schema.append(to: &json, isInput: true)
            json.append(UInt8(ascii: "}"))
        }
        json.append("],\"outputs\":[")
        var isFirst = true
        for (index, output) in definition.outputs.enumerated() where filter?.indices.contains(index) ?? true {
            json.append(isFirst ? "{\"name\":" : ",{\"name\":")
            isFirst = false
            JSONWriter.append(output.name, to: &json)
            json.append(output.kind == .value ? ",\"kind\":\"value\",\"schema\":" : ",\"kind\":\"event\",\"schema\":")
            output.schema.append(to: &json)
            json.append(UInt8(ascii: "}"))
        }
        json.append("]}")
        return json
    }
}
