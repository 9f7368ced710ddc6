import Foundation
import HTTPServerTesting
import Testing

/// The built executable when its output cannot be written.
/// Serialized, because a stalled reader delays each test.
@Suite(.serialized) struct OutputTests {
    private func status(_ path: String, at address: String) throws -> String {
        try Curl.run(["-o", "/dev/null", "-w", "%{http_code}", "http://\(address)\(path)"])
    }

    /// Waits for the log line with the address.
    private func loggedAddress(of granary: GranaryProcess) async throws -> String {
        let line = try #require(await granary.logged(/listening listener=http:\/\/(\S+)\s/))
        return String(line.1)
    }

    @Test(arguments: ["print-defaults", "check-config", "--help", "--version"])
    func `a command whose reader has closed ends quietly, and one that cannot write reports why`(command: String) throws
    {
        var outcome = try GranaryProcess([command], output: .readerGone).outcome()
        #expect(outcome.status == 0)
        #expect(outcome.standardError == "")
        outcome = try GranaryProcess([command], output: .full).outcome()
        #expect(outcome.status == 1)
        #expect(outcome.standardError == "granary: standard output could not be written: No space left on device\n")
        outcome = try GranaryProcess([command], output: .closed).outcome()
        #expect(outcome.status == 0)
        #expect(outcome.standardError == "")
    }

    @Test(arguments: [OutputSink.stalled, .stalledWithoutBlocking])
    func `a command whose reader has stalled ends`(sink: OutputSink) throws {
        let outcome = try GranaryProcess(["print-defaults"], output: sink).outcome()
        #expect(outcome.status == 1)
        #expect(outcome.standardError == "granary: standard output could not be written: its reader has stalled\n")
    }

    @Test(arguments: OutputSink.allCases)
    func `an invalid configuration exits with status 2, whatever the output is`(sink: OutputSink) throws {
        let granary = try GranaryProcess(["serve", "--http.port", "many"], errors: sink)
        granary.process.waitUntilExit()
        #expect(granary.process.terminationReason == .exit)
        #expect(granary.process.terminationStatus == 2)
    }

    @Test(arguments: OutputSink.allCases)
    func `a server whose output is not read serves, is replaced and ends`(sink: OutputSink) async throws {
        let granary = try GranaryProcess(["serve", "--http.port", "0"], output: sink)
        let address = try await loggedAddress(of: granary)
        #expect(try status("/health/ready", at: address) == "200")
        kill(granary.process.processIdentifier, SIGUSR2)
        let line = try #require(await granary.logged(/new server has taken over pid=(\d+)\n|takeover failed.*\n/))
        let successor = try #require(line.1.flatMap { Int32($0) }, "\(line.0)")
        let first = granary.process
        await onThread { first.waitUntilExit() }
        #expect(first.terminationStatus == 0)
        #expect(first.terminationReason == .exit)
        #expect(try await loggedAddress(of: granary) == address)
        #expect(try status("/health/ready", at: address) == "200")
        kill(successor, SIGTERM)
        #expect(await granary.logged(/info +stopped\n/) != nil)
    }

    @Test(arguments: OutputSink.allCases)
    func `a server whose log is not read serves, is replaced and ends`(sink: OutputSink) async throws {
        let supervisor = try SupervisorSocket()
        let granary = try GranaryProcess(
            ["serve", "--http.port", "0", "--log.level", "debug"], environment: ["NOTIFY_SOCKET": supervisor.name],
            errors: sink)
        let address = try #require(granary.address())
        #expect(try status("/health/ready", at: address) == "200")
        kill(granary.process.processIdentifier, SIGUSR2)
        let next = try #require(await granary.nextAnnounced(/serves on http:\/\/(\S+)\n/))
        #expect(next.1 == address)
        let first = granary.process
        await onThread { first.waitUntilExit() }
        #expect(first.terminationStatus == 0)
        #expect(first.terminationReason == .exit)
        #expect(try status("/health/ready", at: address) == "200")
        let told = try await onThread {
            Result { try (0..<3).map { _ in try supervisor.next() } }
        }
        .get()
        let change = try #require(told.last?.firstMatch(of: /^MAINPID=(\d+)\n/))
        kill(try #require(Int32(change.1)), SIGTERM)
        #expect(granary.outcome().status == 0)
    }

    @Test func `descriptors that are closed at the start are not assigned to clients`() async throws {
        let script = "exec \"$0\" serve --http.port 0 <&- >&-"
        let granary = try GranaryProcess(["-c", script, try GranaryProcess.binary.path()], at: "/bin/sh")
        let address = try await loggedAddress(of: granary)
        #expect(try status("/health/ready", at: address) == "200")
        for descriptor in 0...1 {
            let path = "/proc/\(granary.process.processIdentifier)/fd/\(descriptor)"
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "/dev/null")
        }
        #expect(granary.end(with: SIGTERM).status == 0)
    }

    @Test func `many log lines caused by clients are reduced to a few lines and a count`() throws {
        let granary = try GranaryProcess(["serve", "--http.port", "0"])
        let address = try #require(granary.address())
        let begin = ContinuousClock.now
        let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
        for _ in 0..<40 {
            let client = try HTTPTestClient(port: port)
            // DATA on stream 0 is a connection error (RFC 9113 §6.1).
            try client.send([UInt8]("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0])
            try client.send([UInt8](repeating: 0, count: 9))
            _ = try client.receiveToEnd()
        }
        kill(granary.process.processIdentifier, SIGTERM)
        let outcome = granary.outcome()
        #expect(outcome.status == 0)
        let lines = outcome.standardError.split(separator: "\n").filter {
            $0.contains("an HTTP/2 connection was ended")
        }
        let counts = lines.compactMap { $0.firstMatch(of: /suppressed=(\d+)/).flatMap { Int($0.1) } }
        #expect(lines.count - counts.count + counts.reduce(0, +) == 40)
        // In each interval of ten seconds that has begun, five lines and a count. On a slow machine, there are several.
        let intervals = Int((ContinuousClock.now - begin) / .seconds(10)) + 1
        #expect(lines.count <= 6 * intervals)
    }
}
