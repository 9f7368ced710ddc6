import Foundation
import HTTPModel
import MachineHost
import Testing

@testable import Granary

struct ReplayOutcomeTests {
    @Test func `what the command prints is read again`() throws {
        let same = ReplayOutcome(turns: 12, beginsWithCreation: true, firstVersion: 9, divergence: nil)
        #expect(same.text == "replayed from its creation, turns: 12, differences: none")
        #expect(ReplayOutcome("1  2026 say -> 1\n\(same.text)\n") == same)
        let later = ReplayOutcome(turns: 0, beginsWithCreation: false, firstVersion: 256, divergence: nil)
        #expect(later.text == "replayed from the snapshot of version 256, turns: 0, differences: none")
        #expect(ReplayOutcome(later.text) == later)
        let text = """
            replayed from its creation, turns without a difference: 3
            turn 4 differs: expected version 4, got 5
              recorded: 4  2026
            """
        let outcome = try #require(ReplayOutcome(text))
        #expect(outcome.turns == 3 && outcome.divergence?.turn == 4)
        #expect(outcome.text == text)
        let new = "replayed from its creation, turns without a difference: 0\nthe new session differs: expected 1"
        #expect(
            try #require(ReplayOutcome(new)).divergence
                == .init(turn: nil, difference: "the new session differs: expected 1"))
    }

    @Test(arguments: [
        "", "error", "replayed", "replayed from its creation", "replayed from the snapshot of version x, turns: 1",
    ])
    func `other output is no result`(_ text: String) {
        #expect(ReplayOutcome(text) == nil)
    }
}

struct ReplayProcessTests {
    /// Runs a shell script, which is passed as the recording, in place of the program.
    // No script is written to a file and executed: that fails while a process that another test has just started still holds the file.
    private func run(_ script: String) throws(ProblemDetails) -> ReplayOutcome {
        let folder = "/tmp/granary-replay-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try? FileManager.default.createSymbolicLink(atPath: "\(folder)/replay", withDestinationPath: "/bin/sh")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try ReplayProcess(
            arguments: ["x", "serve", "--a", "b"], environment: ["PATH": "\(folder):/usr/bin:/bin"],
            path: "/usr/bin/env"
        ).run(script)
    }

    @Test func `the program gets the recording and the flags of the server`() throws {
        let script = #"[ "$*" = "--a b" ] && echo "replayed from its creation, turns: 2, differences: none""#
        #expect(try run(script).turns == 2)
    }

    @Test func `a program that traps or prints something else does not end the server`() {
        for (script, expected) in [("kill -ILL $$", "signal"), ("echo broken; exit 2", "broken")] {
            let problem = #expect(throws: ProblemDetails.self) { try run(script) }
            #expect(problem?.status == .conflict)
            #expect(problem?.detail.contains(expected) == true, "\(problem?.detail ?? "")")
        }
    }

    @Test func `flags are those of the server, with and without its command`() {
        #expect(ReplayProcess(arguments: ["x", "serve", "--a"], environment: [:]).flags == ["--a"])
        #expect(ReplayProcess(arguments: ["x", "--a"], environment: [:]).flags == ["--a"])
        #expect(ReplayProcess(arguments: ["x"], environment: [:]).flags == [])
    }
}
