import HTTP1
import HTTPServer
import Log
import Testing

@testable import HTTPTarget

@Suite struct TargetOptionsTests {
    @Test func `without arguments the target serves cleartext on the default port`() throws {
        let options = try TargetOptions(arguments: [])
        #expect(options.server.host == "127.0.0.1" && options.server.port == 8080)
        #expect(!options.isSecure && !options.wantsHelp)
    }

    @Test func `each flag sets its option`() throws {
        let options = try TargetOptions(arguments: [
            "--host", "::1", "--port", "0", "--tls-port", "9443", "--loops", "3", "--body-limit", "100",
            "--head-timeout", "0.5", "--body-timeout", "2", "--idle-timeout", "3", "--write-timeout", "4",
            "--drain-timeout", "5", "--answer-timeout", "7", "--handshake-timeout", "6", "--certificate", "a.pem",
            "--key", "a.key",
            "--certificate", "b.pem", "--key", "b.key",
        ])
        #expect(options.server.host == "::1" && options.server.port == 0 && options.securePort == 9443)
        #expect(options.server.loopCount == 3 && options.server.limits.bodyBytes == 100)
        #expect(options.server.headTimeout == .milliseconds(500) && options.server.bodyTimeout == .seconds(2))
        #expect(options.server.idleTimeout == .seconds(3) && options.server.writeTimeout == .seconds(4))
        #expect(options.server.drainTimeout == .seconds(5) && options.handshakeTimeout == .seconds(6))
        #expect(options.server.answerTimeout == .seconds(7))
        #expect(options.certificates.map(\.chain) == ["a.pem", "b.pem"])
        #expect(options.certificates.map(\.key) == ["a.key", "b.key"])
        #expect(options.isSecure)
    }

    @Test(arguments: [
        ["--prot", "1"], ["--port"], ["--port", "65536"], ["--port", "-1"], ["--port", "x"], ["--head-timeout", "0"],
        ["--head-timeout", "nan"], ["--certificate", "a"], ["--key", "a"], ["serve"],
        ["--self-signed", "--certificate", "a", "--key", "b"],
    ])
    func `an invalid command line is rejected with a reason`(_ arguments: [String]) {
        #expect(throws: TargetUsageError.self) { try TargetOptions(arguments: arguments) }
    }

    @Test func `the help lists every flag`() throws {
        #expect(try TargetOptions(arguments: ["--help"]).wantsHelp)
        for flag in ["--host", "--port", "--tls-port", "--certificate", "--key", "--self-signed", "--loops"] {
            #expect(TargetOptions.help.contains(flag))
        }
    }

    @Test func `the target does not start with an unreadable certificate`() throws {
        let options = try TargetOptions(arguments: ["--certificate", "/nowhere.pem", "--key", "/nowhere.key"])
        #expect(throws: (any Error).self) { try TargetServer(options, log: .silent) }
    }
}
