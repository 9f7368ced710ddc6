import CombineCore
import HTTPModel
import MachineTesting
import StateCapture
import Testing

@testable import MachineHost

/// Recordings that are damaged, edited or do not fit the machine.
struct HostileRecordingTests {
    private func machine(
        refusing: @escaping @Sendable (String, String) -> InputMismatch? = { _, _ in nil },
        _ go: @escaping ScriptedMachine.Reaction
    ) -> MachineDefinition {
        var definition = ScriptedMachine.definition(
            outputs: ["count"], inputs: ["go": go], refusing: refusing, made: { ScriptedState.capture($0) })
        definition.captureObstacles = []
        return definition
    }

    private func recording(of machine: MachineDefinition, inputs: Int = 1) throws -> String {
        let host = try RestartableHost([machine])
        let session = host.harness.makeSession(of: machine.name)
        for _ in 0..<inputs { _ = host.send(.post, session + "/inputs/go", body: "1") }
        host.harness.loop.advance(by: .seconds(2))
        return try host.recording(of: session)
    }

    private func difference(_ recording: String, _ machine: MachineDefinition) throws -> String? {
        var replay = try Replay(SessionRecording(recording), machine)
        return try replay.run()?.difference
    }

    /// Returns a recording with another member.
    private func edited(_ recording: String, _ edit: (inout StateValue) -> Void) throws -> String {
        try ImportedFile.edited(recording) { edit(&$0) }
    }

    private let counting: ScriptedMachine.Reaction = { machine, _ in
        machine.set("count", to: "\((Int(machine.value(of: "count") ?? "") ?? 0) + 1)")
    }

    @Test func `a file that is cut anywhere is an error, and no crash`() throws {
        let recording = try recording(of: machine(counting), inputs: 2)
        for count in stride(from: 0, to: recording.utf8.count, by: 7) {
            let cut = String(decoding: recording.utf8.prefix(count), as: UTF8.self)
            #expect(throws: ArchiveError.notExported("it is another file, or not complete")) {
                try SessionRecording(cut)
            }
        }
    }

    @Test func `a file of a newer format says so`() throws {
        let newer = try edited(recording(of: machine(counting))) { $0["formatVersion"] = 2 }
        #expect(
            throws: ArchiveError.notExported(
                "its format has version 2, which a newer build has written, and this build reads version 1")
        ) { try SessionRecording(newer) }
    }

    @Test func `a session of another machine under a false name is refused`() throws {
        let renamed = try edited(recording(of: machine(counting))) { $0["machine"] = "other" }
        #expect(throws: ArchiveError.self) { try SessionRecording(renamed) }
    }

    @Test func `a damaged turn is an error`() throws {
        let damaged = try edited(recording(of: machine(counting))) { file in
            file["rows"] = [["number": 9, "wakesAt": nil, "content": "AQID"]]
        }
        #expect(throws: ArchiveError.notExported("its turn 1 is damaged")) { try SessionRecording(damaged) }
    }

    @Test func `an input that does not fit the machine is a difference`() throws {
        let recording = try recording(of: machine(counting))
        let strict = machine(
            refusing: { _, _ in InputMismatch(pointer: "", detail: "expected a string, got the number 1") }, counting)
        #expect(
            try difference(recording, strict)
                == #"the input "go" does not fit the machine: expected a string, got the number 1"#)
        var other = ScriptedMachine.definition(outputs: ["count"], inputs: ["stop": counting])
        other.captureObstacles = []
        #expect(try difference(recording, other) == #"expected one of the machine's inputs "stop", got "go""#)
    }

    @Test func `answers that are missing are a difference`() throws {
        // The record has only the change: work that the host does not know of caused the turn.
        let silent = machine { _, _ in }
        let recorded = machine { machine, _ in
            _ = machine.context.scheduler.schedule(after: .seconds(1), repeating: nil) { machine.set("count", to: "5") }
        }
        let difference = try difference(recording(of: recorded), silent)
        #expect(difference?.hasPrefix("expected a scheduled block or a timer, found none that is due") == true)
    }

    @Test func `a turn that the record does not have is a difference`() throws {
        let eager = machine { machine, _ in
            machine.set("count", to: "1")
            machine.context.scheduler.schedule { machine.set("count", to: "2") }
        }
        let recorded = machine { machine, _ in
            machine.set("count", to: "1")
            machine.context.scheduler.schedule { machine.set("count", to: "3") }
        }
        #expect(
            try difference(recording(of: recorded), eager) == #"expected the change {"count":3}, got {"count":2}"#)
    }

    @Test func `turns that cause each other endlessly end the replay`() throws {
        let recorded = machine { machine, _ in
            _ = machine.context.scheduler.schedule(after: .seconds(1), repeating: nil) { machine.set("count", to: "5") }
        }
        let endless = machine { machine, _ in
            @Sendable func again(_ context: SessionContext) {
                context.scheduler.schedule { again(context) }
            }
            again(machine.context)
        }
        let found = try difference(recording(of: recorded), endless)
        #expect(found == "expected a turn, got 10000 scheduled blocks that changed nothing")
    }

    @Test func `a machine that fails is a difference`() throws {
        let failing = machine { machine, _ in machine.fail("count", with: .init("broken")) }
        #expect(
            try difference(recording(of: machine(counting)), failing)
                == "expected a turn, but the session has failed; see the log")
    }

    @Test func `a machine that cannot be captured cannot be replayed`() throws {
        let recording = try recording(of: machine(counting))
        let opaque = ScriptedMachine.definition(outputs: ["count"], inputs: ["go": counting])
        #expect(throws: ReplayError.notCaptured("scripted", reason: "its state is not known")) {
            try Replay(SessionRecording(recording), opaque)
        }
    }
}
