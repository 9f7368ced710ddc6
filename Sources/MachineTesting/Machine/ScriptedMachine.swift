public import MachineHost

/// A machine whose inputs are closures and whose outputs are JSON texts: what a host does with it can be seen without a
/// framework in between.
public final class ScriptedMachine: HostedMachine {
    /// What an output is to fail with.
    public struct Failure: LoggableError, CustomStringConvertible {
        /// What the log is to say.
        public var description: String
        /// As the description.
        public var logDescription: String { description }

        /// A failure that is described so.
        public init(_ description: String) {
            self.description = description
        }
    }

    /// What an input does: it gets the machine and the input's value as JSON text.
    public typealias Reaction = @Sendable (ScriptedMachine, String) -> Void

    /// What the machine shows.
    public let outputs: OutputBoard
    /// What the machine got from its session.
    public let context: SessionContext
    /// Whether the session has ended.
    public private(set) var hasEnded = false
    /// What the machine does when its session ends.
    public var whenEnded: () -> Void = {}
    private let names: [String]

    /// A machine with outputs of these names, which have no value yet.
    public init(context: SessionContext, outputs names: [String]) {
        self.context = context
        self.names = names
        outputs = OutputBoard(context: context)
        for index in names.indices { outputs.add(Cell(index: index)) }
    }

    /// Sets an output's value, given as JSON text; `nil` takes it away.
    public func set(_ output: String, to json: String?) {
        let cell = cell(output)
        cell.value = json
        outputs.mark(cell)
    }

    /// The value that an output has now, as JSON text.
    public func value(of output: String) -> String? { cell(output).value }

    /// Sends an event, its value given as JSON text.
    public func emit(_ output: String, _ json: String) {
        outputs.emit(cell(output)) { $0.append(contentsOf: json.utf8) }
    }

    /// Makes the next reading of an output fail.
    public func fail(_ output: String, with failure: Failure) {
        let cell = cell(output)
        cell.failure = failure
        outputs.mark(cell)
    }

    /// Every output that has a value, as JSON text.
    public var values: [String: String] {
        Dictionary(uniqueKeysWithValues: names.compactMap { name in value(of: name).map { (name, $0) } })
    }

    /// Records that the session has ended, and runs ``whenEnded`` once.
    public func end() {
        hasEnded = true
        let action = whenEnded
        whenEnded = {}
        action()
    }

    private func cell(_ output: String) -> Cell {
        guard let index = names.firstIndex(of: output), let cell = outputs.cells[index] as? Cell else {
            preconditionFailure("the scripted machine has no output \"\(output)\"")
        }
        return cell
    }

    private final class Cell: OutputCell {
        var value: String?
        var failure: Failure?

        override func encode(into json: inout [UInt8]) throws {
            if let failure { throw failure }
            if let value { json.append(contentsOf: value.utf8) }
        }
    }
}

extension ScriptedMachine {
    /// A definition: outputs that have a value, outputs that only happen, what is done when a machine is made, and what
    /// each input does. An input takes any JSON value but those that `refusing` gives a reason against.
    public static func definition(
        _ name: String = "scripted", outputs: [String], events: [String] = [], inputs: [String: Reaction] = [:],
        refusing: @escaping @Sendable (_ input: String, _ json: String) -> InputMismatch? = { _, _ in nil },
        made: @escaping @Sendable (ScriptedMachine) throws -> Void = { _ in }
    ) -> MachineDefinition {
        MachineDefinition(
            name: name, summary: "A machine for tests.",
            inputs: inputs.sorted { $0.key < $1.key }.map { input, reaction in
                InputDefinition(name: input, schema: .any) { json throws(InputMismatch) in
                    let text = String(decoding: json, as: UTF8.self)
                    if let mismatch = refusing(input, text) { throw mismatch }
                    return PreparedInput { machine in
                        if let machine = machine as? ScriptedMachine { reaction(machine, text) }
                    }
                }
            },
            outputs: outputs.map { OutputDefinition(name: $0, schema: .any, kind: .value) }
                + events.map { OutputDefinition(name: $0, schema: .any, kind: .event) },
            make: { context in
                let machine = ScriptedMachine(context: context, outputs: outputs + events)
                try made(machine)
                return machine
            })
    }
}
