import Access
import Foundation
import HTTPModel
import HTTPServer
import JSONText
import Log
import MachineTesting
import TLS
import Testing

@testable import Granary
@testable import MachineHost

/// A complete server with all methods of authentication, and the credentials of Ada and Bob.
final class MatrixServer {
    /// What differs between servers.
    struct Setting: Sendable, CustomStringConvertible {
        var description = "open"
        var requiresPrincipal = false
        /// Whether loopback addresses are trusted proxies.
        var trustsLoopback = false
        /// Whether the program decides later.
        var decidesLater = false
        /// The origins whose pages may use the server.
        var origins: [String] = []

        static let open = Setting()
        static let closed = Setting(
            description: "closed", requiresPrincipal: true, trustsLoopback: true, decidesLater: true)
    }

    let server: Server
    let adaKey: String
    let bobKey: String
    /// A key that was revoked.
    let oldKey: String
    let certificates: [String: MatrixCertificate]
    /// The authority of the server, and one with another key.
    let tickets: TicketAuthority
    let otherTickets: TicketAuthority
    let cookies: CookieAuthority
    let otherCookies: CookieAuthority
    private let folder: KeyFolder

    init(_ setting: Setting = .open, configure: (inout Configuration) -> Void = { _ in }) throws {
        let folder = try KeyFolder()
        self.folder = folder
        let (ada, first) = try APIKeyFile("").adding("ada")
        let (bob, second) = try APIKeyFile(first).adding("bob")
        (adaKey, bobKey, oldKey) = (ada, bob, try APIKeyFile("").adding("ada").key)
        var certificates: [String: MatrixCertificate] = [:]
        for name in ["ada", "bob", "eve"] { certificates[name] = try MatrixCertificate(name) }
        certificates["old"] = try MatrixCertificate("old").expired()
        self.certificates = certificates
        let secret = try #require(SigningKeys([SecretBytes(copying: [UInt8](repeating: 0x0A, count: 32))]))
        (tickets, otherTickets) = (TicketAuthority(keys: secret), TicketAuthority(keys: .random()))
        (cookies, otherCookies) = (CookieAuthority(keys: secret), CookieAuthority(keys: .random()))
        var configuration = Configuration()
        (configuration.server.port, configuration.server.loopCount, configuration.tls.port) = (0, 2, 0)
        configuration.extendTimeouts()
        configuration.server.drainTimeout = .milliseconds(200)
        configuration.tls.selfSigned = true
        let issuers = ["ada", "bob", "old"].compactMap { certificates[$0]?.chain }.joined()
        configuration.tls.clientIssuers = try folder.write(
            String(decoding: Array(issuers), as: UTF8.self), to: "issuers")
        configuration.sessions.maxNewSessionsPerClient = nil
        configuration.sessions.maxSessionsPerClient = nil
        try MatrixServer.configure(&configuration.access, setting, in: folder, keys: second)
        configure(&configuration)
        server = Server(
            configuration: configuration, authenticator: MatrixServer.program(decidesLater: setting.decidesLater),
            machines: [.talker, .shop])
        try server.start()
    }

    private static func configure(
        _ access: inout Configuration.AccessControl, _ setting: Setting, in folder: KeyFolder, keys: String
    ) throws {
        access.requiresPrincipal = setting.requiresPrincipal
        access.apiKeys = try folder.write(keys, to: "api.keys")
        access.tokenIssuers = try TokenSigner.all.values.map { signer in
            let path = try folder.write(signer.keyFile, to: signer.algorithm.rawValue)
            return .init(
                issuer: signer.issuer, audiences: ["granary"], algorithms: [signer.algorithm.rawValue], keys: path)
        }
        access.usesCookie = true
        access.signingKeys = try folder.write(KeyFolder.secret, to: "signing.keys")
        access.certificateName = .dns
        access.proxyField = "X-Forwarded-User"
        access.trustedProxies = AddressRange(setting.trustsLoopback ? "127.0.0.1" : "192.0.2.1").map { [$0] } ?? []
        access.origins = setting.origins
    }

    /// The program's own authentication, by the field `x-user`.
    private static func program(decidesLater: Bool) -> HostAuthenticator {
        let decide: @Sendable (HTTPRequest) -> HostCredential = { request in
            switch request.fields.value("x-user") {
            case nil: .none
            case "expired": .principal(id: "ada", expires: UnixTime(seconds: 1_000_000_000))
            case "forged": .rejected("Unknown user.")
            case let user?: .principal(id: user, expires: UnixTime(seconds: 4_102_444_800))
            }
        }
        // The threads that run the closure may be busy with other tests.
        return decidesLater
            ? HostAuthenticator(name: "app", timeout: .seconds(300), authenticateLater: { decide($0) })
            : HostAuthenticator(name: "app", authenticate: decide)
    }

    func listener(isSecure: Bool = false) throws -> HTTPListener {
        try #require(server.listeners.first { $0.isSecure == isSecure })
    }

    func client(
        _ version: ServedRoutes.Version = .http1, isSecure: Bool = false, as name: String? = nil
    ) throws -> MatrixClient {
        try MatrixClient(version, to: listener(isSecure: isSecure), certificate: name.flatMap { certificates[$0] })
    }

    /// Returns the text of a ticket for a session.
    ///
    /// - Parameter path: The path of the session.
    func ticket(
        for path: String, _ rights: TicketRights = .all, generation: UInt32 = 0, until seconds: Int64 = 4_102_444_800,
        uses: UInt16? = nil, by authority: TicketAuthority? = nil
    ) throws -> String {
        var text = String(path.suffix(SessionID.textCount))
        let id = try #require(text.withUTF8 { SessionID($0) })
        let ticket = try Ticket(
            session: SessionDigest(StoredSessionID(of: id)), rights: rights, generation: generation,
            expires: UnixTime(seconds: seconds), uses: uses)
        return (authority ?? tickets).text(of: ticket).secret
    }

    /// Returns the field of a cookie that was issued at a time.
    func cookie(_ name: String, at time: UnixTime = .now, by authority: CookieAuthority? = nil) throws -> String {
        let principal = cookies.principal(id: Array((name + "________________").utf8.prefix(16)))
        let field = try #require((authority ?? cookies).cookie(for: principal, isSecure: false, at: time))
        return String(field.string.prefix { $0 != ";" })
    }

    func stop() async { await server.stop() }
}

extension UnixTime {
    static var now: UnixTime { UnixTime(seconds: Int64(Date().timeIntervalSince1970)) }
}

extension MachineDefinition {
    /// A machine whose output is the value of its last input.
    static var talker: MachineDefinition {
        ScriptedMachine.definition(
            "talker", outputs: ["text"], inputs: ["say": { machine, value in machine.set("text", to: value) }],
            made: { $0.set("text", to: "\"quiet\"") })
    }

    /// A machine with a parameter.
    static var shop: MachineDefinition {
        var definition = ScriptedMachine.definition("shop", outputs: ["open"], made: { $0.set("open", to: "true") })
        definition.parameters = ParametersDefinition(
            schema: .object([.init(name: "country", schema: .string(format: nil), isRequired: true)])
        ) { json throws(InputMismatch) in
            let bytes = Array(json)
            let country = JSONValue(bytes: bytes, range: 0..<bytes.count).member("country")?.string
            guard let country else { throw InputMismatch(pointer: "/country", detail: "expected a string") }
            return country
        }
        return definition
    }
}
