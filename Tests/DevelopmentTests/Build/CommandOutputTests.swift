import Dispatch
import Foundation
import ProcessLifecycle
import Testing

@testable import Development

struct CommandOutputTests {
    /// The lines and the whole output of a shell command.
    private func output(of command: String) async throws -> (lines: [String], text: String) {
        try await withCheckedThrowingContinuation { continuation in
            // Used on the queue only.
            nonisolated(unsafe) var lines: [String] = []
            nonisolated(unsafe) var child: ChildProcess?
            let queue = DispatchQueue(label: "test")
            queue.sync {
                do {
                    child = try CommandOutput.start(
                        "/bin/sh", ["-c", command], environment: ["PATH": "/usr/bin:/bin"], on: queue,
                        lines: { lines.append($0) },
                        ended: { text in
                            #expect(child?.waitForExit() == 0)
                            continuation.resume(returning: (lines, text))
                        })
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    @Test func `both streams are read line by line, also an unfinished last line`() async throws {
        let result = try await output(of: "echo one; echo two >&2; printf three")
        #expect(result.lines == ["one", "two", "three"])
        #expect(result.text == "one\ntwo\nthree\n")
    }

    @Test func `the end is that of the last process with the pipe`() async throws {
        let result = try await output(of: "echo early; (read -r _ < /dev/null; sleep 0.2; echo late) &")
        #expect(result.lines == ["early", "late"])
    }

    @Test func `the end of many programs in a row is seen`() async throws {
        for number in 0..<200 { #expect(try await output(of: "echo \(number)").lines == ["\(number)"]) }
    }

    @Test func `a program that cannot be started is named`() {
        let error = #expect(throws: DevelopmentError.self) {
            _ = try CommandOutput.start(
                "/nowhere/program", [], environment: [:], on: DispatchQueue(label: "test"), lines: { _ in },
                ended: { _ in })
        }
        #expect(error?.description == "/nowhere/program could not be started: No such file or directory")
    }

    @Test func `what is kept of a long output is bounded, and every line is reported`() async throws {
        let result = try await output(of: "seq --format 'line of a long output %.0f' 0 19999")
        #expect(result.lines.count == 20_000)
        #expect(result.text.hasPrefix("line of a long output 0\n"))
        #expect(result.text.utf8.count <= 256 << 10)
    }
}
