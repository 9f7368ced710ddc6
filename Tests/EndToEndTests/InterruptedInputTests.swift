import Foundation
import Testing

/// Asynchronous inputs of a plain observable class that have not returned.
struct InterruptedInputTests {
    private func serve() async throws -> (granary: GranaryProcess, url: String) {
        let granary = try GranaryProcess(
            ["serve", "--http.port", "0", "--log.level", "info"],
            at: try GranaryProcess.binary(named: "CrashTestServer").path())
        return (granary, String(try #require(await granary.nextAnnounced(/serves on (http:\S+)\n/)).1))
    }

    /// Creates a session, and calls an input that lasts an hour.
    private func sessionThatWaits(_ url: String) throws -> String {
        let json = ["-H", "Content-Type: application/json", "-d"]
        let session = try Curl.run(
            ["-o", "/dev/null", "-w", "%header{location}", "\(url)/v1/sessions"] + json + [#"{"machine":"plain"}"#])
        let answer = try Curl.run(["\(url)\(session)/inputs/noteLater"] + json + [#""m1""#])
        #expect(answer == #"{"version":0,"changes":{}}"#)
        return session
    }

    @Test func `DELETE cancels them`() async throws {
        let (granary, url) = try await serve()
        let session = try sessionThatWaits(url)
        #expect(try Curl.run(["-X", "DELETE", "-o", "/dev/null", "-w", "%{http_code}", "\(url)\(session)"]) == "204")
        #expect(await granary.logged(/cancelled m1\n/) != nil)
        #expect(granary.end(with: SIGTERM).status == 0)
    }

    @Test func `a hot restart interrupts them, and the machine learns which`() async throws {
        let (granary, url) = try await serve()
        let session = try sessionThatWaits(url)
        kill(granary.process.processIdentifier, SIGUSR2)
        let successor = try await granary.successor()
        let content = try Curl.run(["\(url)\(session)/outputs"])
        #expect(content == #"{"marks":["interrupted noteLater"],"count":1}"#)
        kill(successor, SIGTERM)
        _ = granary.outcome()
    }
}
