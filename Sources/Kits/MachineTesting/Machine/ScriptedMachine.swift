public import MachineHost
public import StateCapture

/// A machine whose inputs are closures and whose outputs are JSON text, to test a host without a framework.
public final class ScriptedMachine: HostedMachine {
    /// The error of an output.
    public struct Failure: LoggableError, CustomStringConvertible {
        /// The description, also for the log.
        public var description: String
        /// The description.
        public var logDescription: String { description }

        /// Creates a failure.
        public init(_ description: String) {
            self.description = description
        }
    }

    /// The effect of an input: a closure that receives the machine and the input's value as JSON text.
    public typealias Reaction = @Sendable (ScriptedMachine, String) -> Void

    /// The machine's outputs.
    public let outputs: OutputBoard
    /// The context of the machine's session.
    public let context: SessionContext
    /// Whether the session has ended.
    public private(set) var hasEnded = false
    /// The closure that runs when the session ends.
    public var whenEnded: () -> Void = {}
    /// The closure that runs when the machine was restored.
    public var whenResumed: ([InterruptedWork]) -> Void = { _ in }
    /// An object that the test keeps with the machine until the session ends.
    public var attachment: AnyObject?
    private let names: [String]

    /// Creates a machine with named outputs, which have no values yet.
    public init(context: SessionContext, outputs names: [String]) {
        self.context = context
        self.names = names
        outputs = OutputBoard(context: context)
        for index in names.indices { outputs.add(Cell(index: index)) }
    }

    /// Sets the value of an output, as JSON text; nil removes it.
    public func set(_ output: String, to json: String?) {
        let cell = cell(output)
        cell.value = json
        outputs.mark(cell)
    }

    /// Returns the current value of an output, as JSON text.
    public func value(of output: String) -> String? { cell(output).value }

    /// Emits an event whose value is JSON text.
    public func emit(_ output: String, _ json: String) {
        outputs.emit(cell(output)) { $0.append(contentsOf: json.utf8) }
    }

    /// Makes an output fail when it is read next.
    public func fail(_ output: String, with failure: Failure) {
        let cell = cell(output)
        cell.failure = failure
        outputs.mark(cell)
    }

    /// The outputs that have a value, as JSON text.
    public var values: [String: String] {
        Dictionary(uniqueKeysWithValues: names.compactMap { name in value(of: name).map { (name, $0) } })
    }

    /// Records that the session has ended, and runs ``whenEnded`` once.
    public func end() {
        hasEnded = true
        let action = whenEnded
        whenEnded = {}
        whenResumed = { _ in }
        attachment = nil
        action()
    }

    /// Runs ``whenResumed``.
    public func resumed(_ interrupted: [InterruptedWork]) {
        whenResumed(interrupted)
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
    /// Returns a definition of a scripted machine.
    ///
    /// - Parameters:
    ///   - name: The name of the machine.
    ///   - outputs: The outputs with a current value.
    ///   - events: The outputs that emit events.
    ///   - inputs: The effect of each input.
    ///   - refusing: Returns a mismatch for a value that an input rejects. All other JSON values are accepted.
    ///   - made: Called with each new machine.
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
