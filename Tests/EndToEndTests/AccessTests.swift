import Foundation
import Glibc
import HTTPServerTesting
import Testing

/// Access control of the built executable.
struct AccessTests {
    private let folder = "/tmp/granary-access-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func status(_ address: String, key: String) throws -> String {
        try Curl.run([
            "-o", "/dev/null", "-w", "%{http_code}", "-H", "Authorization: Bearer \(key)", "-H",
            "Content-Type: application/json", "-d", #"{"machine":"counter"}"#, "http://\(address)/v1/sessions",
        ])
    }

    @Test func `a key that the command creates is accepted after SIGHUP, and its owner has private keys`() async throws
    {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = "\(folder)/api.keys"
        try Data().write(to: URL(filePath: file))
        let home = GranaryProcess.newStateHome()
        let granary = try GranaryProcess(
            [
                "serve", "--http.port", "0", "--access.apiKeys", file, "--access.requires", "--tls.reloadInterval",
                "24h",
            ],
            environment: ["XDG_STATE_HOME": home])
        let address = try #require(granary.address())
        let created = try GranaryProcess(["keys", "new", "reports", "--access.apiKeys", file]).outcome()
        #expect(created.status == 0 && created.standardError.isEmpty)
        let key = created.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try status(address, key: key) == "401")
        kill(granary.process.processIdentifier, SIGHUP)
        #expect(try await eventually { try status(address, key: key) == "201" })
        for name in ["signing.keys", "identity.key"] {
            var details = stat()
            #expect(stat("\(home)/granary/\(name)", &details) == 0 && details.st_mode & 0o777 == 0o600, "\(name)")
        }
        #expect(granary.end(with: SIGTERM).status == 0)
        let log = granary.outcome().standardError
        #expect(log.contains("audit: keys reloaded") && !log.contains(key))
        let listed = try GranaryProcess(["keys", "list", "--access.apiKeys", file]).outcome()
        #expect(listed.standardOutput == "reports\n")
        #expect(try GranaryProcess(["keys", "revoke", "other", "--access.apiKeys", file]).outcome().status == 1)
    }

    @Test func `check-config warns about a server that is open to the network, and rejects broken files`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let open = try GranaryProcess(["check-config", "--http.host", "0.0.0.0"]).outcome()
        #expect(open.status == 0 && open.standardError.split(separator: "\n").count == 3)
        #expect(open.standardError.hasPrefix("warning: everyone who can connect to http://0.0.0.0:8080"))
        let quiet = try GranaryProcess(["check-config"]).outcome()
        #expect(quiet.status == 0 && quiet.standardError.isEmpty)
        let broken = try GranaryProcess(["check-config", "--access.apiKeys", "/nowhere"]).outcome()
        #expect(broken.status == 2)
        #expect(broken.standardError == "access.apiKeys: expected to read /nowhere, got: no such file or directory\n")
        let state = try GranaryProcess(["check-config", "--sessions.stateDirectory", "/dev/null"]).outcome()
        #expect(state.status == 2 && state.standardError.contains("expected a directory at /dev/null"))
        let served = try GranaryProcess(["serve", "--http.port", "0", "--access.apiKeys", "/nowhere"]).outcome()
        #expect(served.status == 1 && served.standardError.hasPrefix("granary: access.apiKeys: expected to read"))
    }
}
