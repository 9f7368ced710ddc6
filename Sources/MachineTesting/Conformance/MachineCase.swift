import HTTPModel
public import MachineHost

/// A machine and what is done with it, to be held to the contract of every hosted machine:
///
///     @Test(arguments: MachinePoint.allCases, machines)
///     func `every machine keeps the contract`(point: MachinePoint, machine: MachineCase) {
///         #expect(machine.findings(point).isEmpty)
///     }
///
/// The machine has to do the same each time: what it needs from outside is given by its definition, and time is the
/// context's scheduler's.
public struct MachineCase: Sendable, CustomStringConvertible {
    /// The machine.
    public let definition: MachineDefinition
    /// What is done with it, in order. Best a script after which every output has changed.
    public let script: [MachineStep]

    /// A machine and its script.
    public init(_ definition: MachineDefinition, script: [MachineStep]) {
        self.definition = definition
        self.script = script
    }

    /// The machine's name.
    public var description: String { definition.name }

    /// Runs the script and returns the names of the outputs that it leaves as they were, in the order of the definition:
    /// those are held to nothing by the points that compare outputs. Every output, if no session can be made.
    public var untouchedOutputs: [String] {
        let names = definition.outputs.map(\.name)
        guard let run = try? ConformanceRun(self) else { return names }
        let session = run.makeSession()
        guard !session.isEmpty else { return names }
        let follower = run.follow(session)
        follower.read()
        let before = follower.events.count
        run.perform(on: session) { follower.read() }
        var touched: Set<String> = []
        for event in follower.events[before...] {
            for (name, value) in JSONObjectText.members(of: event.data) ?? [] {
                guard name == "$emitted" else {
                    touched.insert(name)
                    continue
                }
                for emitted in JSONObjectText.elements(of: value) ?? [] {
                    touched.insert(String((run.members(emitted)["output"] ?? "").dropFirst().dropLast()))
                }
            }
        }
        return names.filter { !touched.contains($0) }
    }

    /// Holds the machine to one point: gives what is wrong, a sentence each; nothing if it keeps it.
    public func findings(_ point: MachinePoint) -> [String] {
        do {
            let run = try ConformanceRun(self)
            switch point {
            case .creation: run.checkCreation()
            case .schemas: run.checkSchemas()
            case .acceptance: run.checkAcceptance()
            case .refusal: run.checkRefusal()
            case .atomicity: run.checkAtomicity()
            case .conditions: run.checkConditions()
            case .resumption: run.checkResumption()
            case .filtering: run.checkFiltering()
            case .slowness: run.checkSlowness()
            case .limits: run.checkLimits()
            case .isolation: run.checkIsolation()
            case .ending: run.checkEnding()
            }
            return run.findings
        } catch {
            return ["it cannot be hosted: \(error.detail)"]
        }
    }
}
