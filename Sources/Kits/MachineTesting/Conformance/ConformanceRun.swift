import HTTPModel
import JSONText
import Locking
import MachineHost

/// The check of one requirement on one machine, with a separate host.
final class ConformanceRun {
    let machine: MachineCase
    let harness: HostHarness
    private(set) var findings: [String] = []
    /// The machines that the host created, with their outputs.
    let made = MadeMachines()

    var definition: MachineDefinition { machine.definition }

    init(_ machine: MachineCase) throws(MachineRegistrationError) {
        self.machine = machine
        let (definition, made) = (machine.definition, made)
        var watched = MachineDefinition(
            name: definition.name, summary: definition.summary, inputs: definition.inputs, outputs: definition.outputs
        ) { context in
            let machine = try definition.make(context)
            made.add(machine)
            return machine
        }
        watched.parameters = definition.parameters
        var configuration = HostConfiguration()
        configuration.historyBytes = 1 << 20
        configuration.historyChanges = 10_000
        configuration.maxSessions = 3
        configuration.maxStreamsPerSession = max(definition.outputs.count, 2) + 1
        harness = try HostHarness([watched], configuration: configuration)
    }

    /// Records a finding unless a condition holds.
    func expect(_ condition: Bool, _ finding: @autoclosure () -> String) {
        if !condition { findings.append(finding()) }
    }

    /// Creates a session and returns its path. On failure, records a finding and returns an empty path.
    func makeSession() -> String {
        let answer = harness.send(.post, "/v1/sessions", body: machine.creation)
        guard answer.status == .created, let path = answer.fields.value(.location) else {
            findings.append("no session was created: \(answer.status.code) \(answer.text)")
            return ""
        }
        return path
    }

    /// Performs a step. Returns nil for a step that only waits.
    @discardableResult
    func perform(
        _ step: MachineStep, on session: String, fields: HTTPFields = HTTPFields()
    ) -> HarnessAnswer? {
        switch step.action {
        case .wait(let duration):
            harness.loop.advance(by: duration)
            return nil
        case .input(let name, let json):
            return harness.send(
                .post, "\(session)/inputs/\(PercentEncoding.encode(name))", body: json, fields: fields)
        }
    }

    /// Performs the whole script.
    func perform(on session: String, after: () -> Void = {}) {
        for step in machine.script {
            perform(step, on: session)
            after()
        }
    }

    /// Returns the current outputs of a session by name, as JSON text.
    func outputs(of session: String) -> [String: String] {
        members(harness.send(.get, session + "/outputs").text)
    }

    func version(of session: String) -> UInt64 {
        members(harness.send(.get, session).text)["version"].flatMap { UInt64($0) } ?? 0
    }

    /// Returns the members of an object by name. Records a finding if the text is not an object.
    func members(_ text: String) -> [String: String] {
        guard let members = JSONObjectText.members(of: text) else {
            findings.append("expected a JSON object, got \(text)")
            return [:]
        }
        expect(Set(members.map(\.name)).count == members.count, "an object has a member twice: \(text)")
        return Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// Follows a session. Violations on its stream become findings with ``takeViolations(of:)``.
    func follow(_ session: String, query: String = "", after id: String? = nil) -> StreamFollower {
        harness.follow(session, query: query, after: id)
    }

    func takeViolations(of view: StreamView) {
        findings += view.violations
    }
}

/// The machines that a host created, held weakly.
final class MadeMachines: Sendable {
    private let all = Lock<[@Sendable () -> Bool]>([])

    func add(_ machine: any HostedMachine) {
        let parts: [AnyObject] = [machine, machine.outputs] + machine.outputs.cells
        for part in parts.map(WeakObject.init) { all.withLock { $0.append { part.object != nil } } }
    }

    /// The number of their objects that still exist.
    var remaining: Int { all.withLock { $0 }.count { $0() } }
}

// Sendable: only the thread that uses the object checks whether it still exists.
private final class WeakObject: @unchecked Sendable {
    weak var object: AnyObject?

    init(_ object: AnyObject) {
        self.object = object
    }
}
