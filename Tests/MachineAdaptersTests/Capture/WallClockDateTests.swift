import HTTPModel
import MachineTesting
import Testing

/// The dependency `date` of a session when the wall clock is set.
struct WallClockDateTests {
    private func add(_ host: RestartableHost, _ session: String) -> String {
        host.send(.post, session + "/inputs/add").text
    }

    @Test func `the date is that of the wall clock, also after it was set, and a replay has the same dates`() throws {
        let definition = try Notebook.definition()
        let host = try RestartableHost([definition])
        let session = host.harness.makeSession(of: "notebook")
        #expect(add(host, session).contains("2026-01-01T00:00:00"))
        host.setWallClock(ahead: .seconds(7200))
        #expect(add(host, session).contains("2026-01-01T02:00:00"))
        try host.restart(after: 60)
        #expect(add(host, session).contains("2026-01-01T02:01:00"))
        host.setWallClock(ahead: .seconds(-3600))
        try host.restart(after: 60)
        #expect(add(host, session).contains("2025-12-31T23:02:00"))
        try assertReplays(host.recording(of: session), definition)
    }
}
