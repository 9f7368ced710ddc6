public import MachineHost
import StateCapture

/// Checks that a machine's sessions continue in another process as if nothing had happened.
///
/// Runs the machine and a twin in virtual time, with the same random inputs and pauses. The twin's process ends again and again after
/// random steps, and another one continues its session from what was stored. Throws at the first difference between the two: in a
/// response, in the outputs and their version, or in the events of a stream.
///
///     @Test func `the counter is resumable`() throws {
///         try assertResumable(CounterMachine.definition())
///     }
///
/// Everything outside of the machine must be deterministic: its registration provides its dependencies, and it uses the time of
/// the context's scheduler.
///
/// - Parameters:
///   - machine: The machine.
///   - parameters: The parameters of each session, as JSON; nil for random ones that their schema accepts.
///   - choices: The steps from which each step is drawn; nil for random values that the schemas of the inputs accept, and
///     pauses of up to a second.
///   - seeds: The seeds of the random runs. A failure names its seed.
///   - count: The number of steps of each run.
/// - Throws: ``NotResumable``.
public func assertResumable(
    _ machine: MachineDefinition, parameters: String? = nil, choosing choices: [MachineStep]? = nil,
    seeds: ClosedRange<UInt64> = 1...10, steps count: Int = 60
) throws {
    try requireCapture(of: machine)
    for seed in seeds {
        var run = TwinRun(machine, choices, parameters: parameters, seed: seed)
        try run.perform(count)
    }
}

extension MachineCase {
    /// Checks that the machine's sessions continue in another process, as ``assertResumable(_:parameters:choosing:seeds:steps:)`` does: with
    /// the script, after each step of which the twin's process ends, and with random steps of the script.
    ///
    /// Separate from ``findings(_:)``, because a machine may be hosted although its sessions end with the process.
    ///
    /// - Parameters:
    ///   - seeds: The seeds of the random runs.
    ///   - count: The number of steps of each random run.
    /// - Returns: A sentence for the first difference; an empty array if none exists.
    public func restartFindings(
        seeds: ClosedRange<UInt64> = 1...5, steps count: Int = 60
    ) -> [String] {
        do {
            try requireCapture(of: definition)
            var run = TwinRun(definition, script, parameters: parameters, seed: seeds.lowerBound)
            try run.perform(script)
            try assertResumable(definition, parameters: parameters, choosing: script, seeds: seeds, steps: count)
            return []
        } catch {
            return ["\(error)"]
        }
    }
}

private func requireCapture(of machine: MachineDefinition) throws(NotResumable) {
    guard let obstacles = machine.captureObstacles else {
        throw NotResumable("expected a machine whose state can be captured, got \"\(machine.name)\", which cannot")
    }
    guard obstacles.isEmpty else {
        let list = obstacles.map { "\($0.part) of the type \($0.type)" }.joined(separator: ", ")
        throw NotResumable("expected every member and operator to be captured, got \(list)")
    }
}

/// The first difference between a machine and its restored twin.
public struct NotResumable: Error, Equatable, CustomStringConvertible {
    /// A message that states what was expected and what was found, with the seed and the steps that led to it.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A machine and its twin, with the steps that led to their states.
private struct TwinRun {
    private let machine: MachineDefinition
    private let choices: [MachineStep]?
    private let parameters: String?
    private let seed: UInt64
    private var random: SeededGenerator
    private var values: SampleValues
    private var trace: [String] = []

    init(_ machine: MachineDefinition, _ choices: [MachineStep]?, parameters: String?, seed: UInt64) {
        self.machine = machine
        self.choices = choices
        self.seed = seed
        random = SeededGenerator(seed: seed)
        var values = SampleValues(SeededGenerator(seed: seed ^ 0xFFFF))
        self.parameters = parameters ?? machine.parameters.map { values.value(of: $0.schema) }
        self.values = values
    }

    /// Performs random steps. The twin's process ends after a third of them.
    mutating func perform(_ count: Int) throws {
        try compareTwins { run, original, twin in
            for _ in 0..<count {
                try run.perform(run.nextStep(), original, twin)
                guard Int.random(in: 0..<3, using: &run.random) == 0 else { continue }
                try run.restart(twin, original)
            }
        }
    }

    /// Performs a script. The twin's process ends after each step.
    mutating func perform(_ script: [MachineStep]) throws {
        try compareTwins { run, original, twin in
            for step in script {
                try run.perform(step, original, twin)
                try run.restart(twin, original)
            }
        }
    }

    private mutating func compareTwins(
        _ body: (inout TwinRun, _ original: VirtualProcess, _ twin: VirtualProcess) throws -> Void
    ) throws {
        do {
            let original = try VirtualProcess(machine, parameters: parameters, seed: seed)
            try body(&self, original, VirtualProcess(machine, parameters: parameters, seed: seed))
        } catch let difference as NotResumable {
            throw NotResumable("\(difference), with seed \(seed) after: \(trace.joined(separator: ", "))")
        }
    }

    private mutating func perform(_ step: MachineStep, _ original: VirtualProcess, _ twin: VirtualProcess) throws {
        trace.append("\(step)")
        switch step.action {
        case .input(let name, let json):
            try compare("the response", original.input(name, json), twin.input(name, json))
        case .wait(let duration):
            original.wait(duration)
            twin.wait(duration)
        }
        try compare("the outputs", original.outputs(), twin.outputs())
        try compare("the events", original.events.joined(separator: "\n"), twin.events.joined(separator: "\n"))
    }

    private mutating func restart(_ twin: VirtualProcess, _ original: VirtualProcess) throws {
        trace.append("restart")
        try twin.restart()
        try compare("the outputs", original.outputs(), twin.outputs())
    }

    private mutating func nextStep() -> MachineStep {
        if let choices { return choices.randomElement(using: &random) ?? .wait(.seconds(1)) }
        guard Int.random(in: 0..<4, using: &random) > 0, let input = machine.inputs.randomElement(using: &random) else {
            return .wait(.milliseconds(Int.random(in: 1...1000, using: &random)))
        }
        let isEmpty = input.schema == .null
        return .input(input.name, isEmpty ? nil : values.value(of: input.schema))
    }

    private func compare(_ what: String, _ expected: String, _ found: String) throws {
        guard expected != found else { return }
        throw NotResumable("expected \(what) to be \(expected), got \(found)")
    }
}
