import Foundation
import HTTPServerTesting
import TLS
import Testing

struct SecureServingTests {
    /// The flags of curl that select a version of HTTP, and curl's name of that version.
    static let versions = [("--http1.1", "1.1"), ("--http2", "2")]

    private func port(_ address: String) -> Substring { address.split(separator: ":").last ?? "" }

    @Test(arguments: versions)
    func `a session works over TLS with a development certificate`(_ flag: String, _ version: String) throws {
        let granary = try GranaryProcess(["serve", "--http.port", "0", "--tls.port", "0", "--tls.self-signed"])
        let (_, address) = try #require(granary.addresses())
        let path = try Curl.run([
            "-k", flag, "-o", "/dev/null", "-w", "%{http_version} %header{location}", "https://\(address)/v1/sessions",
            "-H",
            "Content-Type: application/json", "-d", #"{"machine":"counter"}"#,
        ]).split(separator: " ")
        try #require(path.count == 2)
        #expect(path[0] == version)
        let stream = try Curl.start([
            "-k", flag, "-N", "https://\(address)\(path[1])/outputs", "-H", "Accept: text/event-stream",
        ])
        var text = String(decoding: stream.output.someData(), as: UTF8.self)
        let answer = try Curl.run(["-k", flag, "-X", "POST", "https://\(address)\(path[1])/inputs/increment"])
        #expect(answer == #"{"version":1,"changes":{"count":1}}"#)
        #expect(granary.end(with: SIGTERM).status == 0)
        text += String(decoding: stream.output.readDataToEndOfFile(), as: UTF8.self)
        #expect(text.contains("event: snapshot\n"))
        #expect(text.contains("data: {\"count\":1}\n\n"))
        #expect(text.contains("event: end\ndata: {\"reason\":\"draining\"}\n\n"))
    }

    @Test func `the cleartext port supports HTTP 2 with prior knowledge`() throws {
        let granary = try GranaryProcess(["serve", "--http.port", "0"])
        let address = try #require(granary.address())
        let answer = try Curl.run([
            "--http2-prior-knowledge", "-o", "/dev/null", "-w", "%{http_version} %{http_code}",
            "http://\(address)/health/ready",
        ])
        #expect(answer == "2 200")
        #expect(granary.end(with: SIGTERM).status == 0)
    }

    @Test func `SIGHUP replaces the certificates, and an invalid one is rejected`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "granary-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (certificate, key) = (folder.appending(path: "a.pem"), folder.appending(path: "a.key"))
        func write(_ identity: TLSIdentity, trustedAs name: String) throws {
            try Data(identity.certificates).write(to: certificate)
            try Data(identity.privateKey).write(to: key)
            try Data(identity.certificates).write(to: folder.appending(path: name))
        }
        try write(.selfSigned(), trustedAs: "first.pem")
        let granary = try GranaryProcess([
            "serve", "--http.port", "0", "--tls.port", "0", "--tls.certificates", certificate.path(),
            "--tls.privateKeys",
            key.path(), "--tls.reloadInterval", "24h", "--tls.redirects-cleartext",
        ])
        let (cleartext, secure) = try #require(granary.addresses())
        func isTrusted(_ name: String) throws -> Bool {
            let trust = folder.appending(path: name).path()
            let url = "https://localhost:\(port(secure))/health/ready"
            return try Curl.run(["--cacert", trust, "--no-show-error", "-o", "/dev/null", "-w", "%{http_code}", url])
                == "200"
        }
        #expect(try isTrusted("first.pem"))
        let redirect = try Curl.run([
            "-o", "/dev/null", "-w", "%{http_code} %header{location}", "http://\(cleartext)/a",
        ])
        #expect(redirect == "308 https://127.0.0.1:\(port(secure))/a")

        try write(.selfSigned(), trustedAs: "second.pem")
        #expect(try isTrusted("first.pem"))
        kill(granary.process.processIdentifier, SIGHUP)
        #expect(try await eventually { try isTrusted("second.pem") })
        #expect(try !isTrusted("first.pem"))

        try Data("broken".utf8).write(to: certificate)
        kill(granary.process.processIdentifier, SIGHUP)
        #expect(await granary.logged(/new certificates rejected, keeping the previous ones.*\n/) != nil)
        #expect(try isTrusted("second.pem"))
        #expect(granary.end(with: SIGTERM).status == 0)
    }

    @Test func `an unusable certificate results in one line and status 1`() throws {
        let granary = try GranaryProcess([
            "serve", "--http.port", "0", "--tls.certificates", "/nowhere/a.pem", "--tls.privateKeys", "/nowhere/a.key",
        ])
        let outcome = granary.outcome()
        #expect(outcome.status == 1)
        #expect(outcome.standardError == "granary: /nowhere/a.pem could not be read: no such file.\n")
    }
}
