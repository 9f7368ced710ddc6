import HTTPModel
import JSONText
public import MachineHost

/// A machine and a script, to be checked against the contract of every hosted machine:
///
///     @Test(arguments: MachinePoint.allCases, machines)
///     func `every machine keeps the contract`(point: MachinePoint, machine: MachineCase) {
///         #expect(machine.findings(point).isEmpty)
///     }
///
/// The machine must be deterministic: its definition provides its dependencies, and it uses the time of the context's
/// scheduler.
public struct MachineCase: Sendable, CustomStringConvertible {
    /// The machine.
    public let definition: MachineDefinition
    /// The parameters of its sessions, as JSON; nil if they need none.
    public let parameters: String?
    /// The steps, in order. Ideally every output has changed after them.
    public let script: [MachineStep]

    /// Creates a case.
    public init(_ definition: MachineDefinition, parameters: String? = nil, script: [MachineStep]) {
        self.definition = definition
        self.parameters = parameters
        self.script = script
    }

    /// The machine's name.
    public var description: String { definition.name }

    /// The body of a request for a session.
    var creation: String { HostHarness.creation(of: definition.name, parameters) }

    /// The outputs that the script does not change, in the order of the definition. The requirements that compare
    /// outputs do not check them. If no session can be created, these are all outputs.
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

    /// Checks one requirement. Returns a sentence for each violation; an empty array if none exists.
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
