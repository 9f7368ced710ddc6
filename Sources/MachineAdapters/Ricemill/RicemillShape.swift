import MachineHost
import Ricemill

/// The inputs and outputs of a machine's type: found by looking at one machine when it is registered, used for all others.
struct RicemillShape: Sendable {
    let inputs: [InputDefinition]
    let outputs: [OutputDefinition]
    private let inputPositions: [Int]
    private let outputPorts: [OutputPort]

    /// Looks at a machine. Throws if it cannot be hosted, naming what is in the way.
    init<M: MachineType>(
        of machine: M, named name: String, events: Set<String>, hidden: Set<String>
    ) throws(MachineRegistrationError) {
        if let defect = machine.output.defect {
            throw MachineRegistrationError(machine: name, detail: defect.description)
        }
        let inputs = try Self.inputs(of: machine.input.base, machine: name, hidden: hidden)
        let outputs = try Self.outputs(of: machine.output.base, machine: name, events: events, hidden: hidden)
        let known = inputs.names.union(outputs.names)
        for unknown in hidden.subtracting(known).sorted() {
            throw MachineRegistrationError(machine: name, detail: "it has no \"\(unknown)\" that could be hidden")
        }
        for unknown in events.subtracting(outputs.ports.map(\.definition.name)).sorted() {
            throw MachineRegistrationError(
                machine: name, detail: "it has no output \"\(unknown)\" that could be an event")
        }
        self.inputs = inputs.ports.map(\.definition)
        self.outputs = outputs.ports.map(\.definition)
        inputPositions = inputs.ports.map(\.position)
        outputPorts = outputs.ports
        try Self.checkNames(self.inputs.map(\.name), of: "input", machine: name)
        try Self.checkNames(self.outputs.map(\.name), of: "output", machine: name)
    }

    /// Makes a machine of that shape hostable.
    func adapt<M: MachineType>(_ machine: M, context: SessionContext) throws -> AdaptedMachine {
        let board = OutputBoard(context: context)
        let properties = ReflectedProperty.all(of: machine.input.base)
        guard properties.count > (inputPositions.last ?? -1) else { throw ShapeChanged(type: M.Input.self) }
        let adapted = AdaptedMachine(machine, inputs: inputPositions.map { properties[$0].value }, outputs: board)
        let output = machine.output.base
        let shown = ReflectedProperty.all(of: output)
        let object = type(of: output as Any) is AnyClass ? output as AnyObject : nil
        for (index, port) in outputPorts.enumerated() {
            let place = CellPlace(
                index: index, board: board, object: object, name: port.definition.name, log: context.log)
            guard shown.indices.contains(port.position), let cell = port.makeCell(shown[port.position].value, place)
            else { throw ShapeChanged(type: M.Output.self) }
            board.add(cell)
        }
        return adapted
    }

    private struct Found<Port> {
        var ports: [Port] = []
        var names: Set<String> = []
    }

    private static func inputs<I: InputType>(
        of input: I, machine: String, hidden: Set<String>
    ) throws(MachineRegistrationError) -> Found<InputPort> {
        var found = Found<InputPort>()
        let isBindable = input is any BindableInputType
        for (position, property) in ReflectedProperty.all(of: input).enumerated() {
            found.names.insert(property.name)
            guard !hidden.contains(property.name) else { continue }
            let port = try InputPort(
                property, position: position, index: found.ports.count, isBindable: isBindable, machine: machine)
            if let port { found.ports.append(port) }
        }
        return found
    }

    private static func outputs<O: OutputType>(
        of output: O, machine: String, events: Set<String>, hidden: Set<String>
    ) throws(MachineRegistrationError) -> Found<OutputPort> {
        var found = Found<OutputPort>()
        for (position, property) in ReflectedProperty.all(of: output).enumerated() {
            found.names.insert(property.name)
            guard !hidden.contains(property.name) else { continue }
            let port = try OutputPort(
                property, position: position, isEvent: events.contains(property.name), machine: machine)
            if let port { found.ports.append(port) }
        }
        return found
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
private struct ShapeChanged: Error, CustomStringConvertible {
    let type: any Any.Type

    var description: String { "the properties of \(type) are not those that were registered" }
}
