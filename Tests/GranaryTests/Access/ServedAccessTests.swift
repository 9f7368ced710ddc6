import Access
import Foundation
import HTTPModel
import Locking
import Log
import MachineHost
import Testing

@testable import Granary

/// Access control as it is loaded from files, and loaded again.
@Suite struct ServedAccessTests {
    private let folder: KeyFolder
    private let lines = LogLines()

    init() throws { folder = try KeyFolder() }

    private func configuration(_ change: (inout Configuration) throws -> Void) rethrows -> Configuration {
        var configuration = Configuration()
        try change(&configuration)
        return configuration
    }

    private func keyed() throws -> Configuration {
        try configuration { $0.access.apiKeys = try folder.write("a \(digest("1"))\n", to: "api.keys") }
    }

    private func digest(_ digit: String) -> String { "sha256:" + String(repeating: digit, count: 64) }

    private func served(_ configuration: Configuration, directory: String? = nil) throws -> ServedAccess {
        try ServedAccess(configuration, directory: directory, log: lines.log)
    }

    private func problems(_ change: (inout Configuration) throws -> Void) rethrows -> [String] {
        ServedAccess.problems(try configuration(change))
    }

    @Test func `without any method there is no authentication, and no key is created`() throws {
        let directory = "\(folder.path)/state"
        let access = try served(Configuration(), directory: directory).current
        #expect(access.authentication == nil && access.cors == nil && access.audit == nil)
        #expect(!access.requiresPrincipal && access.rates == .init() && access.quotas == .init())
        #expect(folder.names.isEmpty && lines.all.isEmpty)
        #expect(try served(Configuration(), directory: directory).identity == nil)
    }

    @Test func `every method is configured`() throws {
        let configuration = try configuration {
            $0.access.apiKeys = try folder.write("a \(digest("1"))\n", to: "api.keys")
            $0.access.tokenIssuers = [
                .init(
                    issuer: "i", audiences: [], algorithms: ["EdDSA"],
                    keys: try folder.write(KeyFolder.publicKey, to: "jwk"))
            ]
            $0.access.usesCookie = true
            $0.access.proxyField = "X-Forwarded-User"
            $0.access.trustedProxies = AddressRange("10.0.0.1").map { [$0] } ?? []
            $0.tls.clientIssuers = "/etc/issuers.pem"
            $0.access.certificateName = .dns
            $0.access.origins = ["https://app.example"]
            $0.access.requiresPrincipal = true
            $0.access.cachedCredentials = 9
            $0.access.rates.sessions = .init(count: 5, window: .seconds(60))
            $0.access.quotas.bytes = 7
            $0.access.auditedPrincipals = .id
        }
        let authenticator = HostAuthenticator(name: "app") { _ in .none }
        let access = try ServedAccess(configuration, host: authenticator, log: .silent).current
        let methods = try #require(access.authentication)
        #expect(methods.tokens?.issuers["i"]?.keys?.keys.count == 1)
        #expect(methods.apiKeys != nil && methods.tickets != nil && methods.cookies != nil && methods.host != nil)
        #expect(methods.certificates == .dns && methods.proxyField?.name == "x-forwarded-user")
        #expect(methods.maxCached == 9)
        #expect(access.cors != nil && access.requiresPrincipal && access.audit == .id)
        #expect(access.rates.creations == RateLimit("sessions", quota: 5, window: .seconds(60)))
        #expect(access.rates.tickets == RateLimit("tickets", quota: 600, window: .seconds(60)))
        #expect(access.rates.rejections == RateLimit("rejected-credentials", quota: 600, window: .seconds(60)))
        #expect(access.quotas.bytes == 7)
    }

    @Test func `a limit or an origin alone needs no authentication`() throws {
        let limited = try served(configuration { $0.access.quotas.sessions = 3 }).current
        #expect(limited.authentication == nil && limited.audit == .hash && limited.quotas.sessions == 3)
        let shared = try served(configuration { $0.access.origins = ["https://app.example"] }).current
        #expect(shared.authentication == nil && shared.cors != nil)
    }

    @Test func `keys that are not configured are created in the state directory, and stay`() throws {
        let configuration = configuration { $0.access.usesCookie = true }
        let directory = "\(folder.path)/state"
        let first = try served(configuration, directory: directory)
        let hasher = first.current.authentication?.hasher
        #expect(folder.mode(of: "state/signing.keys") == 0o600 && folder.mode(of: "state/identity.key") == 0)
        // Not before a journal accepts it.
        try first.identity?.admit(to: MemoryJournal())
        #expect(folder.mode(of: "state/identity.key") == 0o600)
        let again = try served(configuration, directory: directory).current.authentication?.hasher
        let principal = Principal(method: .apiKey, id: "a")
        #expect(hasher?.hash(of: principal) == again?.hash(of: principal) && hasher != nil)
        #expect(lines.all.isEmpty)
    }

    @Test func `without a state directory the keys end with the process, which is logged`() throws {
        let configuration = configuration { $0.access.usesCookie = true }
        let first = try served(configuration).current.authentication?.hasher
        let second = try served(configuration).current.authentication?.hasher
        let principal = Principal(method: .apiKey, id: "a")
        #expect(first?.hash(of: principal) != second?.hash(of: principal))
        #expect(lines.all.count == 2 && lines.all[0].contains("access.signingKeys"))
    }

    @Test func `a changed file is reloaded, and a broken one keeps the previous version`() throws {
        let configuration = try keyed()
        let access = try served(configuration)
        let applied = Lock(0)
        access.begin { _ in applied.withLock { $0 += 1 } }
        var watches = access.watches
        #expect(watches.count == 1)
        watches[0].check()
        #expect(applied.withLock { $0 } == 0 && lines.all.count == 1)
        try folder.write("a \(digest("1"))\nb \(digest("2"))\n", to: "api.keys")
        watches[0].check()
        watches[0].check()
        #expect(applied.withLock { $0 } == 1)
        #expect(lines.all.last == "audit: keys reloaded")
        try folder.write("broken\n", to: "api.keys")
        watches[0].check()
        #expect(applied.withLock { $0 } == 1)
        #expect(lines.all.last == "audit: keys not reloaded")
        #expect(access.current.authentication?.apiKeys != nil)
        try FileManager.default.removeItem(atPath: configuration.access.apiKeys)
        watches[0].check()
        #expect(lines.all.last == "audit: keys not reloaded" && applied.withLock { $0 } == 1)
        access.end()
    }

    @Test func `keys of an issuer that fit no algorithm are not taken over`() throws {
        let path = try folder.write(KeyFolder.publicKey, to: "jwk")
        let configuration = configuration {
            $0.access.tokenIssuers = [.init(issuer: "i", audiences: [], algorithms: ["EdDSA"], keys: path)]
        }
        let access = try served(configuration)
        var watches = access.watches
        try folder.write(KeyFolder.secretKey, to: "jwk")
        watches[0].check()
        #expect(lines.all.last == "audit: keys not reloaded")
        #expect(access.current.authentication?.tokens?.issuers["i"]?.keys?.keys.first?.id == "a")
    }

    @Test func `a replaced signing key is taken over by a reload`() throws {
        let path = try folder.write(KeyFolder.secret, to: "signing")
        let access = try served(
            configuration {
                $0.access.usesCookie = true
                $0.access.signingKeys = path
            })
        var watches = access.watches
        let old = try #require(access.current.authentication?.cookies)
        let cookie = try #require(old.cookie(for: old.newPrincipal(), isSecure: false, at: UnixTime(seconds: 10)))
        try folder.write("\(String(repeating: "0b", count: 32))\n\(KeyFolder.secret)\n", to: "signing")
        watches[0].reload()
        #expect(lines.all.last == "audit: keys reloaded")
        let value = Array((cookie.string.split(separator: "=", maxSplits: 1)[1].split(separator: ";")[0]).utf8)
        let reading = value.withUnsafeBytes {
            access.current.authentication?.cookies?.reading(of: $0, at: UnixTime(seconds: 11))
        }
        #expect(reading?.needsRenewal == true)
    }

    @Test func `contradictions and unusable files prevent a start`() throws {
        #expect(problems { $0.access.requiresPrincipal = true }.first?.hasPrefix("access.requires: expected") == true)
        let onlyCookies = problems {
            $0.access.requiresPrincipal = true
            $0.access.usesCookie = true
        }
        #expect(onlyCookies.first?.contains("got only access.cookie") == true)
        #expect(problems { $0.access.proxyField = "X-User" }.first?.contains("http.trustedProxies") == true)
        #expect(
            problems { $0.access.apiKeys = "/nowhere" } == [
                "access.apiKeys: expected to read /nowhere, got: no such file or directory"
            ])
        #expect(problems { $0.access.signingKeys = "/nowhere" }.first?.hasPrefix("access.signingKeys:") == true)
        #expect(problems { $0.access.identityKey = "/nowhere" }.first?.hasPrefix("access.identityKey:") == true)
        let wrong = try folder.write(KeyFolder.publicKey, to: "jwk")
        let issuers = problems {
            $0.access.tokenIssuers = [.init(issuer: "i", audiences: [], algorithms: ["ES256"], keys: wrong)]
        }
        #expect(issuers.first?.contains("Expected a key of the issuer i for ES256") == true)
        let all = problems {
            $0.access.apiKeys = "/nowhere"
            $0.access.identityKey = "/nowhere"
        }
        #expect(all.count == 2)
        #expect(problems { $0.access.usesCookie = true } == [])
        #expect(throws: OperatorError.self) { try served(configuration { $0.access.apiKeys = "/nowhere" }) }
        #expect(ServerPreparation.problems(configuration { $0.access.apiKeys = "/nowhere" }) { [] }.count == 1)
    }
}
