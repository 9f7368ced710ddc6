import Log
import MachineHost

/// Runs a recorded session again.
struct ReplayRun {
    /// The path of the recording.
    let file: String
    /// The machine that the operator expects; nil for that of the recording.
    let machine: String?
    /// Reads the keys, which only encrypted recordings need; nil if there are none.
    var keys: () throws -> SecretKeys? = { nil }
    /// Prints lines to standard output.
    let print: (String) -> Void
    let printError: (String) -> Void

    /// The number of turns that are printed together.
    // A line for each turn would cost more than the turn.
    private static let turnsPerPrint = 256

    /// Prints the turns, and the first one that differs from the record.
    ///
    /// - Parameters:
    ///   - configuration: The limits of the host.
    ///   - machines: Returns the machines of this build.
    /// - Returns: The exit status: 0 if no turn differs, 1 if one does, and 2 if the recording cannot be replayed.
    func run(_ configuration: HostConfiguration, machines: () throws -> [MachineDefinition]) -> Int32 {
        do {
            let recording = try recording(of: try ExportedFile.text(of: file))
            return try replay(recording, try definition(of: recording, try machines()), configuration)
        } catch {
            printError("\(file): \(error)")
            return 2
        }
    }

    private func recording(of text: String) throws -> SessionRecording {
        do {
            return try SessionRecording(text)
        } catch  where !(error is ArchiveError) {
            // Encrypted. Not before: a key file that cannot be read must not keep other recordings from being replayed.
            return try SessionRecording(text, opening: SessionSeal(keys()))
        }
    }

    private func definition(
        of recording: SessionRecording, _ machines: [MachineDefinition]
    ) throws(OperatorError) -> MachineDefinition {
        if let machine, machine != recording.machine {
            throw OperatorError("expected a session of the machine \"\(machine)\", got one of \"\(recording.machine)\"")
        }
        guard let definition = machines.first(where: { $0.name == recording.machine }) else {
            let names = machines.map { "\"\($0.name)\"" }.joined(separator: ", ")
            throw OperatorError(
                "expected a session of one of the machines \(names), got one of \"\(recording.machine)\"")
        }
        return definition
    }

    private func replay(
        _ recording: SessionRecording, _ definition: MachineDefinition, _ configuration: HostConfiguration
    ) throws -> Int32 {
        let log = Log.standardError(level: .warning, format: .text)
        defer { log.flush(within: ProgramOutput.serverLimit) }
        var replay = try Replay(recording, definition, configuration: configuration, log: log)
        var (lines, count): ([String], Int) = ([], 0)
        let divergence = try replay.run { turn in
            count += 1
            lines.append(turn.description)
            guard lines.count == ReplayRun.turnsPerPrint else { return }
            print(lines.joined(separator: "\n"))
            lines.removeAll(keepingCapacity: true)
        }
        if !lines.isEmpty { print(lines.joined(separator: "\n")) }
        let outcome = ReplayOutcome(
            turns: count, beginsWithCreation: recording.beginsWithCreation, firstVersion: recording.firstVersion,
            divergence: divergence)
        guard divergence != nil else {
            print(outcome.text)
            return 0
        }
        printError(outcome.text)
        return 1
    }
}
