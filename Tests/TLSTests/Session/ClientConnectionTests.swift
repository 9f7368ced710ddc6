import COpenSSL
import TLS
import Testing

/// The client's side of a connection, with the server's side in memory.
@Suite struct ClientConnectionTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    /// Both sides of a connection, and what each of them has received or thrown.
    private final class Pair {
        let client: TLSConnection
        let server: TLSConnection
        private(set) var clientContent: [UInt8] = []
        private(set) var serverContent: [UInt8] = []
        private(set) var clientError: TLSError?
        private(set) var serverError: TLSError?

        init(_ client: TLSConnection, _ server: TLSConnection) { (self.client, self.server) = (client, server) }

        /// Transfers bytes in pieces until neither side has output.
        func exchange(inPiecesOf size: Int = .max) {
            while client.hasOutput || server.hasOutput {
                transfer(from: client, to: server, size, &serverContent, &serverError)
                transfer(from: server, to: client, size, &clientContent, &clientError)
            }
        }

        func send(_ text: String, from sender: TLSConnection, to receiver: TLSConnection) throws {
            var output: [UInt8] = []
            try Array(text.utf8).withUnsafeBytes { try sender.write($0, into: &output) }
            if receiver === server {
                read(output[...], by: server, &serverContent, &serverError)
            } else {
                read(output[...], by: client, &clientContent, &clientError)
            }
        }

        private func transfer(
            from sender: TLSConnection, to receiver: TLSConnection, _ size: Int, _ content: inout [UInt8],
            _ error: inout TLSError?
        ) {
            var output: [UInt8] = []
            sender.takeOutput(into: &output)
            var rest = output[...]
            while !rest.isEmpty {
                read(rest.prefix(size), by: receiver, &content, &error)
                rest = rest.dropFirst(size)
            }
        }

        private func read(
            _ bytes: ArraySlice<UInt8>, by receiver: TLSConnection, _ content: inout [UInt8], _ error: inout TLSError?
        ) {
            var buffer = [UInt8](repeating: 0, count: bytes.count + TLSConnection.recordRoom)
            do {
                let count = try bytes.withUnsafeBytes { bytes in
                    try buffer.withUnsafeMutableBytes { try receiver.read(bytes, into: $0) }
                }
                content += buffer[..<count]
            } catch let thrown {
                error = error ?? thrown as? TLSError
            }
        }
    }

    private func pair(
        to name: String = "h.test", hosts: [String] = ["h.test"], otherNames: [String] = [],
        identity: TLSIdentity? = nil,
        issuers: [UInt8]? = nil, seconds: Int = 86400, _ change: (inout TLSConfiguration) -> Void = { _ in }
    ) throws -> Pair {
        let issued = try authority.issue(hosts, otherNames: otherNames, seconds: seconds)
        var configuration = TLSConfiguration(identities: [try issued.identity()])
        change(&configuration)
        let server = TLSConnection(try TLSContext(configuration, tickets: TLSTicketKeys()))
        let context = try TLSClientContext(identity: identity, issuers: issuers ?? authority.pem)
        return Pair(try TLSConnection(context, to: name), server)
    }

    @Test(arguments: [1, 7, Int.max]) func `both sides are open after the handshake, and content arrives`(_ size: Int)
        throws
    {
        let pair = try pair()
        #expect(pair.client.hasOutput)
        pair.exchange(inPiecesOf: size)
        #expect(pair.client.state == .open && pair.server.state == .open)
        #expect(pair.client.applicationProtocol == "h2" && pair.server.applicationProtocol == "h2")
        #expect(pair.client.version == "TLSv1.3" && pair.server.serverName == "h.test")
        try pair.send("request", from: pair.client, to: pair.server)
        try pair.send("response", from: pair.server, to: pair.client)
        #expect(pair.serverContent == Array("request".utf8) && pair.clientContent == Array("response".utf8))
        pair.client.close()
        pair.exchange()
        #expect(pair.server.state == .peerClosed)
        #expect(pair.clientError == nil && pair.serverError == nil)
    }

    @Test func `the server sees the client's certificate, and rejects a client without one`() throws {
        let ada = try authority.issue([], subject: "node-1").identity()
        let issuers = authority.pem
        let mutual = try pair(identity: ada) { $0.clientCertificates = .required(issuers: issuers) }
        mutual.exchange()
        #expect(mutual.server.clientCertificate?.fingerprint == ada.fingerprint)
        #expect(mutual.client.state == .open && mutual.clientError == nil)
        let anonymous = try pair { $0.clientCertificates = .required(issuers: issuers) }
        anonymous.exchange()
        #expect(anonymous.serverError?.reason == .handshake)
        // The client has completed its part of the handshake before.
        #expect(anonymous.clientError?.reason == .record && anonymous.client.state == .failed)
    }

    @Test func `the certificate of the server must be for the name, and of a configured issuer`() throws {
        let other = try TestAuthority(name: "Other")
        let failures: [(Pair, String)] = [
            (try pair(to: "other.test"), "hostname mismatch"),
            (try pair(to: "192.0.2.1"), "IP address mismatch"),
            (try pair(to: "a.h.test"), "hostname mismatch"),
            (try pair(issuers: other.pem), "unable to get local issuer certificate"),
        ]
        for (pair, reason) in failures {
            pair.exchange()
            #expect(pair.client.state == .failed)
            #expect(pair.clientError?.reason == .handshake)
            #expect(pair.clientError?.description.contains(reason) == true, "\(String(describing: pair.clientError))")
            #expect(pair.server.state != .open)
            // The server learns why.
            #expect(pair.serverError?.reason == .handshake)
        }
        for pair in [
            try pair(to: "a.h.test", hosts: ["*.h.test"]), try pair(to: "192.0.2.1", otherNames: ["IP:192.0.2.1"]),
            try pair(to: "::1", otherNames: ["IP:::1"]),
        ] {
            pair.exchange()
            #expect(pair.client.state == .open && pair.clientError == nil)
        }
    }

    @Test(arguments: ["", "h.test\0.other.test"]) func `a name that would not be verified is refused`(_ name: String)
        throws
    {
        let context = try TLSClientContext(identity: nil, issuers: authority.pem)
        #expect(throws: TLSError.self) { try TLSConnection(context, to: name) }
    }

    @Test func `a server of an older version, or without a common protocol, is refused`() throws {
        let old = try pair { $0.maximumVersion = .v12 }
        old.exchange()
        #expect(old.client.state == .failed && old.clientError?.reason == .handshake)
        let other = try pair { $0.protocols = ["http/1.1"] }
        other.exchange()
        #expect(other.client.state == .failed)
        // Without protocols, a server selects none, which the owner has to check.
        let none = try pair { $0.protocols = [] }
        none.exchange()
        #expect(none.client.state == .open && none.client.applicationProtocol == nil)
    }

    @Test func `bytes that are not TLS fail with an error`() throws {
        let pair = try pair()
        var room = [UInt8](repeating: 0, count: 1000 + TLSConnection.recordRoom)
        #expect(throws: TLSError.self) {
            try Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8).withUnsafeBytes { bytes in
                try room.withUnsafeMutableBytes { _ = try pair.client.read(bytes, into: $0) }
            }
        }
        #expect(pair.client.state == .failed)
    }

    @Test func `an invalid issuer or protocol is refused`() throws {
        #expect(throws: TLSError.self) { try TLSClientContext(identity: nil, issuers: Array("no PEM".utf8)) }
        #expect(throws: TLSError.self) {
            try TLSClientContext(identity: nil, issuers: authority.pem, protocols: [""])
        }
    }
}
