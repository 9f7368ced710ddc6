import MachineHost

/// The inputs and outputs of a machine's type: found by looking at one machine when it is registered, used for all others.
struct MachineShape: Sendable {
    let inputs: [InputDefinition]
    let outputs: [OutputDefinition]
    private let inputPositions: [Int]
    private let outputPorts: [OutputPort]

    /// What a framework makes of a stored property; nil for a property that means nothing to it.
    typealias FindInput = (
        _ property: ReflectedProperty, _ position: Int, _ index: Int
    ) throws(MachineRegistrationError) -> InputPort?
    typealias FindOutput = (
        _ property: ReflectedProperty, _ position: Int, _ wish: OutputWish
    ) throws(MachineRegistrationError) -> OutputPort?

    /// Looks at the parts of a machine. Throws if it cannot be hosted, naming what is in the way.
    init(
        of parts: MachineParts, named name: String, wishes: OutputWishes, findInput: FindInput, findOutput: FindOutput
    ) throws(MachineRegistrationError) {
        var names: Set<String> = []
        var inputPorts: [InputPort] = []
        for (position, property) in ReflectedProperty.all(of: parts.input).enumerated() {
            names.insert(property.name)
            guard !wishes.hidden.contains(property.name) else { continue }
            if let port = try findInput(property, position, inputPorts.count) { inputPorts.append(port) }
        }
        var outputPorts: [OutputPort] = []
        for (position, property) in ReflectedProperty.all(of: parts.output).enumerated() {
            names.insert(property.name)
            guard !wishes.hidden.contains(property.name) else { continue }
            if let port = try findOutput(property, position, wishes[property.name]) { outputPorts.append(port) }
        }
        inputs = inputPorts.map(\.definition)
        outputs = outputPorts.map(\.definition)
        inputPositions = inputPorts.map(\.position)
        self.outputPorts = outputPorts
        try wishes.check(properties: names, outputs: Set(outputs.map(\.name)), machine: name)
        try Self.checkNames(inputs.map(\.name), of: "input", machine: name)
        try Self.checkNames(outputs.map(\.name), of: "output", machine: name)
    }

    /// Makes a machine of that shape hostable.
    func adapt(_ machine: AnyObject, _ parts: MachineParts, context: SessionContext) throws -> AdaptedMachine {
        let board = OutputBoard(context: context)
        let properties = ReflectedProperty.all(of: parts.input)
        guard properties.count > (inputPositions.last ?? -1) else { throw ShapeChanged(type: type(of: parts.input)) }
        let adapted = AdaptedMachine(machine, inputs: inputPositions.map { properties[$0].value }, outputs: board)
        let shown = ReflectedProperty.all(of: parts.output)
        let object = type(of: parts.output) is AnyClass ? parts.output as AnyObject : nil
        for (index, port) in outputPorts.enumerated() {
            let place = CellPlace(
                index: index, board: board, object: object, name: port.definition.name, log: context.log)
            guard shown.indices.contains(port.position), let cell = port.makeCell(shown[port.position].value, place)
            else { throw ShapeChanged(type: type(of: parts.output)) }
            board.add(cell)
        }
        return adapted
    }

    private static func checkNames(
        _ names: [String], of kind: String, machine: String
    ) throws(MachineRegistrationError) {
        var seen: Set<String> = []
        for name in names {
            guard !name.isEmpty, !name.hasPrefix("$") else {
                throw MachineRegistrationError(
                    machine: machine, detail: "an \(kind) needs a name that does not begin with $, \"\(name)\" came")
            }
            guard seen.insert(name).inserted else {
                throw MachineRegistrationError(machine: machine, detail: "it has two \(kind)s named \"\(name)\"")
            }
        }
    }
}

/// A machine's factory gave a machine that does not look like the one that was registered.
private struct ShapeChanged: LoggableError {
    let type: any Any.Type

    var logDescription: String { "the properties of \(type) are not those that were registered" }
}
