import CombineCore
package import MachineHost

/// The inputs and outputs of a machine type, found by inspecting one machine at registration and used for all sessions.
package struct MachineShape: Sendable {
    package let inputs: [InputDefinition]
    package let outputs: [OutputDefinition]
    private let sockets: [InputSocket]
    private let outputPorts: [OutputPort]

    /// Returns a framework's input for a stored property; nil if the property is not an input.
    package typealias FindInput = (
        _ property: ReflectedProperty, _ position: Int, _ index: Int
    ) throws(MachineRegistrationError) -> InputPort?
    /// Returns a framework's output for a property; nil if the property is not a stream.
    package typealias FindOutput = (
        _ property: ReflectedProperty, _ requested: RequestedKind
    ) throws(MachineRegistrationError) -> OutputShape?

    /// Inspects the parts of a machine. Throws if the machine cannot be hosted.
    package init(
        of parts: MachineParts, named name: String, options: OutputOptions, findInput: FindInput, findOutput: FindOutput
    ) throws(MachineRegistrationError) {
        var names: Set<String> = []
        var inputPorts: [InputPort] = []
        for (position, property) in ReflectedProperty.all(of: parts.input).enumerated() {
            names.insert(property.name)
            guard !options.hidden.contains(property.name) else { continue }
            if let port = try findInput(property, position, inputPorts.count) { inputPorts.append(port) }
        }
        let properties = ReflectedProperty.all(of: parts.output)
        names.formUnion(properties.map(\.name))
        let outputPorts =
            if let listed = options.listed {
                try Self.ports(listed, of: parts.output, machine: name, findOutput)
            } else {
                try Self.ports(properties, parts.isOutputStore, machine: name, options, findOutput)
            }
        inputs = inputPorts.map(\.definition)
        outputs = outputPorts.map(\.definition)
        sockets = inputPorts.map(\.socket)
        self.outputPorts = outputPorts
        try options.check(properties: names, outputs: Set(outputs.map(\.name)), machine: name)
        try Self.checkNames(inputs.map(\.name), of: "input", machine: name)
        try Self.checkNames(outputs.map(\.name), of: "output", machine: name)
    }

    package func adapt(_ machine: AnyObject, _ parts: MachineParts, context: SessionContext) throws -> AdaptedMachine {
        let board = OutputBoard(context: context)
        let properties = ReflectedProperty.all(of: parts.input)
        let inputs = try sockets.map { socket in try socket.value(in: properties, of: parts.input) }
        let adapted = AdaptedMachine(machine, inputs: inputs, outputs: board, resumables: parts.resumables)
        let shown = ReflectedProperty.all(of: parts.output)
        let object = type(of: parts.output) is AnyClass ? parts.output as AnyObject : nil
        for (index, port) in outputPorts.enumerated() {
            let place = CellPlace(
                index: index, board: board, object: object, output: parts.output, name: port.definition.name,
                log: context.log)
            board.add(try port.cell(in: shown, at: place))
        }
        // Marking one cell is enough: it opens a turn, which reads every cell of this kind.
        if let cell = board.cells.first(where: \.isReadEveryTurn), let store = parts.output as? any ObservableObject {
            adapted.observation = store.marking(cell, on: board)
        }
        return adapted
    }

    /// Returns the outputs that reflection finds. The plain stored properties of a store are not outputs.
    private static func ports(
        _ properties: [ReflectedProperty], _ isStore: Bool, machine: String, _ options: OutputOptions,
        _ find: FindOutput
    ) throws(MachineRegistrationError) -> [OutputPort] {
        var ports: [OutputPort] = []
        for (position, property) in properties.enumerated() where !options.hidden.contains(property.name) {
            let requested = options[property.name]
            var shape = try find(property, requested)
            if shape == nil, !isStore {
                shape = try OutputPort.stored(property, position, isEvent: requested == .event, machine: machine)
            }
            if let shape { ports.append(OutputPort(property, shape, at: .position(position))) }
        }
        return ports
    }

    private static func ports(
        _ listed: [ListedPort], of output: Any, machine: String, _ find: FindOutput
    ) throws(MachineRegistrationError) -> [OutputPort] {
        var ports: [OutputPort] = []
        for port in listed {
            guard let value = port.read(output) else {
                throw MachineRegistrationError(
                    machine: machine,
                    detail:
                        "the key path of its output \"\(port.name)\" does not start at its output, \(type(of: output))")
            }
            let property = ReflectedProperty(name: port.name, value: value)
            let found = try find(property, port.isEvent ? .event : .value)
            let shape = if let found { found } else { try OutputPort.stored(port, machine: machine) }
            ports.append(OutputPort(property, shape, at: .keyPath(port.read)))
        }
        return ports
    }

    /// Throws if a name is not available, or not unique.
    static func checkNames(
        _ names: [String], of kind: String, machine: String
    ) throws(MachineRegistrationError) {
        var seen: Set<String> = []
        for name in names {
            guard PortName.isAvailable(name) else {
                throw MachineRegistrationError(
                    machine: machine, detail: "an \(kind) needs a name that does not start with $, got \"\(name)\"")
            }
            guard seen.insert(name).inserted else {
                throw MachineRegistrationError(machine: machine, detail: "it has two \(kind)s named \"\(name)\"")
            }
        }
    }
}
