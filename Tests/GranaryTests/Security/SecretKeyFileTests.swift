import Foundation
import Glibc
import Log
import MachineHost
import MachineTesting
import Testing

@testable import Granary

/// The file with the keys of stored sessions.
@Suite struct SecretKeyFileTests {
    private let path = "/tmp/granary-\(UUID().uuidString).keys"
    private let hexadecimal = String(repeating: "0aFf", count: 16)
    private let base64 = Data(repeating: 7, count: 32).base64EncodedString()

    private func read(_ content: String, mode: mode_t = 0o600) throws -> SecretKeys {
        defer { unlink(path) }
        #expect(FileManager.default.createFile(atPath: path, contents: Data(content.utf8)))
        #expect(chmod(path, mode) == 0)
        return try #require(try keys(path))
    }

    private func keys(_ path: String) throws(OperatorError) -> SecretKeys? {
        var configuration = Configuration()
        configuration.storage.keyFile = path
        return try configuration.secretKeys()
    }

    @Test func `keys are read in hexadecimal digits and in base64, with and without padding`() throws {
        let seven = try #require(SecretKey(bytes: Array(repeating: 7, count: 32)))
        for text in [base64, String(base64.dropLast()), String(repeating: "07", count: 32)] {
            #expect(try read(text) == SecretKeys([seven]))
        }
    }

    @Test func `the first of several keys is the first, and comments are ignored`() throws {
        let keys = try read("# the new one\n\n  \(base64)\r\n# the old one\n\(hexadecimal)\n", mode: 0o400)
        let old = try read(hexadecimal)
        let new = try read(base64)
        #expect(keys != old && keys != new)
        #expect(try read("\(base64)\n\(hexadecimal)") == keys)
        #expect(try read("\(hexadecimal)\n\(base64)") != keys)
    }

    @Test(arguments: [
        "short", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
        String(repeating: "g", count: 64), Data(repeating: 7, count: 31).base64EncodedString(),
        Data(repeating: 7, count: 33).base64EncodedString(),
        String(repeating: "0", count: 64) + " 1",
    ])
    func `a line that is not a key is an error that does not show it`(line: String) {
        let error = #expect(throws: OperatorError.self) { try read("# key\n\(line)\n") }
        #expect(error?.description.contains("in line 2 of \(path)") == true)
        #expect(error?.description.contains(line) == false)
    }

    @Test(arguments: ["", "\n# nothing\n"])
    func `a file without keys is an error`(content: String) {
        let error = #expect(throws: OperatorError.self) { try read(content) }
        #expect(error?.description.contains("got none; `openssl rand -hex 32` prints one") == true)
    }

    @Test(arguments: [0o640, 0o604, 0o620] as [mode_t])
    func `a file that others may access is an error`(mode: mode_t) {
        let error = #expect(throws: OperatorError.self) { try read(hexadecimal, mode: mode) }
        #expect(error?.description.contains("got mode 0\(String(mode, radix: 8))") == true)
    }

    @Test func `a file that is missing, a directory, or too large is an error`() {
        let missing = #expect(throws: OperatorError.self) { try keys(path) }
        #expect(missing?.description == "sessions.keyFile: expected to read \(path), got: no such file or directory")
        let error = #expect(throws: OperatorError.self) { try keys("/tmp") }
        #expect(error?.description.contains("which is something else") == true)
        let large = #expect(throws: OperatorError.self) { try read(String(repeating: "#", count: (1 << 20) + 1)) }
        #expect(large?.description.contains("at most 1048576 bytes, got 1048577") == true)
    }

    @Test func `the keys of the file reach the host, and a missing file prevents the start`() throws {
        var machine = ScriptedMachine.definition(outputs: [], inputs: ["password": { _, _ in }])
        machine.captureObstacles = []
        let secret = try machine.secret("password")
        func prepare(_ configuration: Configuration) throws -> ServerPreparation {
            try ServerPreparation(configuration, log: .silent) { [secret] }
        }
        var configuration = Configuration()
        #expect(try prepare(configuration).obstacles["scripted"]?.contains("what is secret: password") == true)
        configuration.storage.keyFile = path
        #expect(throws: OperatorError.self) { try prepare(configuration) }
        #expect(FileManager.default.createFile(atPath: path, contents: Data(hexadecimal.utf8)))
        defer { unlink(path) }
        #expect(chmod(path, 0o600) == 0)
        #expect(try prepare(configuration).obstacles["scripted"] == nil)
        #expect(try prepare(configuration).host.configuration.secretKeys != nil)
    }

    @Test func `the configured file reaches the store`() throws {
        let flags = [("sessions.keyFile", "/etc/granary/keys")]
        let configuration = try ConfigurationLoader.load(.standard, file: nil, environment: [:], flags: flags)
        #expect(configuration.storage.keyFile == "/etc/granary/keys")
    }
}
