import HTTPModel
public import MachineHost

extension RestartableHost {
    /// Returns a session as `granary sessions export` does: a recording, for ``assertReplays(_:_:)``.
    ///
    /// - Parameter path: The path of the session.
    /// - Throws: If the session is not stored.
    public func recording(of path: String) throws -> String {
        harness.loop.run()
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return try SessionArchive(DirectJournalAccess(openStorage())).export(name)
    }
}

extension MachineCase {
    /// Performs the script in virtual time and returns the session as a recording, for ``assertReplays(_:_:)``.
    ///
    /// - Parameter turns: The number of turns after which the session is stored as a whole, so that the recording begins in the
    ///   middle of its life; nil for a recording that begins with its creation.
    /// - Throws: If the machine cannot be hosted, or its state cannot be captured.
    public func recording(storedAsAWholeAfter turns: Int? = nil) throws -> String {
        var configuration = HostConfiguration()
        configuration.turnsPerSnapshot = turns ?? .max
        let host = try RestartableHost([definition], configuration: configuration)
        let session = host.harness.makeSession(of: definition.name, parameters: parameters)
        for step in script {
            switch step.action {
            case .wait(let duration): host.harness.loop.advance(by: duration)
            case .input(let name, let json):
                _ = host.send(.post, "\(session)/inputs/\(PercentEncoding.encode(name))", body: json)
            }
        }
        return try host.recording(of: session)
    }
}

/// Checks that a machine does what it did when a session was recorded: restores the session, and runs the recorded inputs,
/// timers and answers again. Throws at the first turn that differs.
///
///     @Test func `the counter counts as it always did`() throws {
///         try assertReplays(String(contentsOf: recording, encoding: .utf8), CounterMachine.definition())
///     }
///
/// A recording of each released version of a machine, kept as test data, proves that sessions of that version wake in this one.
///
/// - Parameters:
///   - recording: What `granary sessions export` has written.
///   - machine: The machine.
/// - Throws: ``NotReplayable`` at the first difference, or an error that says why the recording cannot be read.
public func assertReplays(_ recording: String, _ machine: MachineDefinition) throws {
    let recording = try SessionRecording(recording)
    guard recording.machine == machine.name else {
        throw NotReplayable(
            "expected a recording of the machine \"\(machine.name)\", got one of \"\(recording.machine)\"")
    }
    var replay = try Replay(recording, machine)
    if let divergence = try replay.run() { throw NotReplayable("\(divergence)") }
}

/// The first difference between a recording and its replay.
public struct NotReplayable: Error, Equatable, CustomStringConvertible {
    /// A message that states what was recorded and what the machine did.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
