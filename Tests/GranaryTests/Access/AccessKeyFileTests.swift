import Access
import Foundation
import Testing

@testable import Granary

/// The files of token keys, API keys, signing keys and the identity key.
@Suite struct AccessKeyFileTests {
    private let folder: KeyFolder

    init() throws { folder = try KeyFolder() }

    private func error<Result>(_ body: () throws(OperatorError) -> Result) -> String? {
        do throws(OperatorError) {
            _ = try body()
            return nil
        } catch {
            return error.description
        }
    }

    private func file(_ text: String, mode: mode_t = 0o600) throws -> KeyFile {
        KeyFile(path: try folder.write(text, to: "keys", mode: mode), key: "access.jwt")
    }

    @Test func `a JWK set and a single JWK are read`() throws {
        #expect(try file("{\"keys\":[\(KeyFolder.publicKey)]}", mode: 0o644).tokenKeys().keys.count == 1)
        #expect(try file("\n \(KeyFolder.publicKey)").tokenKeys().keys.map(\.id) == ["a"])
    }

    @Test func `a file with a secret must be private`() throws {
        #expect(try file(KeyFolder.secretKey).tokenKeys().keys.count == 1)
        let shared = try file(KeyFolder.secretKey, mode: 0o640)
        #expect(error { () throws(OperatorError) in try shared.tokenKeys() }?.contains("got mode 0640") == true)
    }

    @Test(arguments: [
        ("{\n  \"keys\": [,]\n}", ":2:12: expected"), ("{}", "Expected"), ("", "Expected a public key"),
        ("{\"keys\":[]}", "Expected 1 to 64 keys"), ("{\"keys\":{}}", "Expected an array"),
        ("-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----\n", "PUBLIC KEY or CERTIFICATE"),
    ])
    func `a broken key set is an error that names the file and the place`(text: String, message: String) throws {
        let broken = try file(text)
        let error = error { () throws(OperatorError) in try broken.tokenKeys() }
        #expect(error?.hasPrefix("access.jwt: \(folder.path)/keys") == true)
        #expect(error?.contains(message) == true, "\(error ?? "accepted")")
    }

    @Test func `a broken line of API keys is named and not shown`() throws {
        let broken = KeyFile(path: try folder.write("# a\nbob granary_secret\n", to: "keys"), key: "access.apiKeys")
        let error = error { () throws(OperatorError) in try broken.apiKeys() }
        #expect(error?.hasPrefix("access.apiKeys: \(folder.path)/keys: Line 2: expected") == true)
        #expect(error?.contains("granary_secret") == false)
    }

    @Test func `signing keys are one per line, and the identity key is only one`() throws {
        let two = try file("\(KeyFolder.secret)\n\(String(repeating: "0b", count: 32))\n")
        #expect(try two.signingKeys().count == 2)
        #expect(error { () throws(OperatorError) in try two.identityKey() }?.contains("got 2") == true)
        #expect(try file(KeyFolder.secret).identityKey().count == 32)
        let shared = try file(KeyFolder.secret, mode: 0o644)
        #expect(error { () throws(OperatorError) in try shared.signingKeys() }?.contains("only its owner") == true)
        let short = try file("0a0b")
        #expect(error { () throws(OperatorError) in try short.signingKeys() }?.contains("line 1") == true)
    }

    @Test func `a created key is private, and stays the same`() throws {
        let directory = "\(folder.path)/state/granary"
        let path = try CreatedKeyFile.path("signing.keys", in: directory, key: "access.signingKeys")
        #expect(path == "\(directory)/signing.keys")
        let first = try String(contentsOfFile: path, encoding: .utf8)
        #expect(first.count == 65)
        #expect(folder.mode(of: "state/granary/signing.keys") == 0o600 && folder.mode(of: "state/granary") == 0o700)
        #expect(try CreatedKeyFile.path("signing.keys", in: directory, key: "a") == path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == first)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["signing.keys"])
        #expect(try KeyFile(path: path, key: "a").signingKeys().count == 1)
        let other = try CreatedKeyFile.path("identity.key", in: directory, key: "a")
        #expect(try String(contentsOfFile: other, encoding: .utf8) != first)
    }

    @Test func `a file is created with a content, and one that exists stays unchanged`() throws {
        let directory = "\(folder.path)/state"
        let large = [UInt8](repeating: 0x23, count: 300_000)
        func create(_ content: [UInt8]) throws -> Bool {
            try CreatedKeyFile.create("signing.keys", in: directory, key: "a") { SecretBytes(copying: content) }
        }
        #expect(try create(large))
        #expect(folder.mode(of: "state/signing.keys") == 0o600)
        #expect(try !create([1]))
        #expect(try Data(contentsOf: URL(filePath: "\(directory)/signing.keys")) == Data(large))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["signing.keys"])
    }

    @Test func `a key that cannot be created names the place`() {
        let error = error { () throws(OperatorError) in
            try CreatedKeyFile.path("signing.keys", in: "/proc/none/a", key: "access.signingKeys")
        }
        #expect(error?.hasPrefix("access.signingKeys: expected to create /proc/none") == true)
    }
}
