import HTTPModel
import Testing

@testable import Access

@Suite struct TicketTests {
    private let now = UnixTime(seconds: 1_800_000_000)
    private let session = SessionDigest(high: 1, low: 2)
    private let authority = TicketAuthority(keys: TestHash.keys)

    private func ticket(
        rights: TicketRights = [.read, .write], uses: UInt16? = nil, renewsFor: Duration? = nil, label: String = "",
        generation: UInt32 = 3
    ) throws -> Ticket {
        try Ticket(
            session: session, rights: rights, generation: generation, expires: now + .seconds(300), uses: uses,
            renewsFor: renewsFor, label: label)
    }

    private func parse(_ text: String, at time: UnixTime? = nil) -> Result<Ticket, CredentialRejection> {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { bytes in
            Result { () throws(CredentialRejection) in try authority.ticket(bytes, at: time ?? now) }
        }
    }

    @Test func `a ticket is what was signed`() throws {
        let label = "player \u{2660}" + String(repeating: "x", count: 54)
        for ticket in [
            try ticket(), try ticket(rights: .read, uses: 1, renewsFor: .seconds(86_400), label: label),
            try ticket(rights: .all, uses: .max, renewsFor: .seconds(Int64(UInt32.max)), generation: .max),
        ] {
            let text = authority.text(of: ticket).secret
            #expect(parse(text) == .success(ticket))
            #expect(text.utf8.count <= 200)
        }
    }

    @Test func `a ticket is accepted before its expiry`() throws {
        let text = authority.text(of: try ticket()).secret
        #expect(throws: Never.self) { try parse(text, at: now + .milliseconds(299_999)).get() }
        #expect(parse(text, at: now + .seconds(300)) == .failure(.expired))
    }

    @Test func `no byte of a ticket can be changed`() throws {
        let text = authority.text(of: try ticket(label: "ada")).secret
        let bytes = try #require(Base64URL.bytes(of: text.utf8))
        for index in bytes.indices {
            for bit in [UInt8(1), 0x80] {
                var forged = bytes
                forged[index] ^= bit
                #expect(parse(Base64URL.text(of: forged)) == .failure(.unknownTicket))
            }
            #expect(parse(Base64URL.text(of: bytes[..<index])) == .failure(.unknownTicket))
        }
        #expect(parse(Base64URL.text(of: bytes + [0])) == .failure(.unknownTicket))
        #expect(parse(text + " ") == .failure(.unknownTicket))
        let other = TicketAuthority(keys: SigningKeys.random())
        #expect(parse(other.text(of: try ticket()).secret) == .failure(.unknownTicket))
    }

    @Test func `a ticket of a removed key is unknown`() throws {
        let (old, new) = (SecretBytes.random(), SecretBytes.random())
        let ticket = try ticket()
        let text = Array(TicketAuthority(keys: try #require(SigningKeys([old]))).text(of: ticket).secret.utf8)
        let rotated = TicketAuthority(keys: try #require(SigningKeys([new, old])))
        #expect(try text.withUnsafeBytes { try rotated.ticket($0, at: now) } == ticket)
        let after = TicketAuthority(keys: try #require(SigningKeys([new])))
        #expect(throws: CredentialRejection.unknownTicket) {
            try text.withUnsafeBytes { try after.ticket($0, at: now) }
        }
    }

    @Test func `descriptions do not show the text`() throws {
        let text = authority.text(of: try ticket())
        var dumped = ""
        dump(text, to: &dumped)
        for description in ["\(text)", String(reflecting: text), dumped] {
            #expect(!description.contains(text.secret))
        }
    }

    @Test func `an invalid ticket is not created`() {
        #expect(throws: AccessConfigurationError.self) { try ticket(rights: []) }
        #expect(throws: AccessConfigurationError.self) { try ticket(rights: TicketRights(rawValue: 8)) }
        #expect(throws: AccessConfigurationError.self) { try ticket(uses: 0) }
        #expect(throws: AccessConfigurationError.self) { try ticket(renewsFor: .zero) }
        #expect(throws: AccessConfigurationError.self) { try ticket(renewsFor: .seconds(-1)) }
        #expect(throws: AccessConfigurationError.self) { try ticket(label: String(repeating: "x", count: 65)) }
        #expect(throws: AccessConfigurationError.self) { try ticket(label: "a\nb") }
    }

    @Test func `a ticket is redeemed for one with no greater rights`() throws {
        let link = try ticket(rights: [.read, .write], uses: 1, renewsFor: .seconds(3600), label: "ada")
        let renewal = try TicketAuthority.renewal(of: link, at: now)
        #expect(renewal.rights == link.rights && renewal.session == link.session && renewal.label == "ada")
        #expect(renewal.generation == link.generation && renewal.uses == nil && renewal.isForStreams)
        #expect(renewal.expires == now + .seconds(3600) && renewal.renewsFor == .seconds(3600))
        #expect(renewal.nonce != link.nonce)
        // The keys of the holder's requests belong to the nonce, so a retry with the next ticket finds the first response.
        #expect(try TicketAuthority.renewal(of: renewal, at: now).nonce == renewal.nonce)
        #expect(try TicketAuthority.renewal(of: link, rights: [.read, .delete], at: now).rights == .read)
        #expect(throws: CredentialRejection.unrenewableTicket) {
            try TicketAuthority.renewal(of: link, rights: .delete, at: now)
        }
        #expect(throws: CredentialRejection.unrenewableTicket) {
            try TicketAuthority.renewal(of: try ticket(), at: now)
        }
        #expect(!link.isForStreams)
    }

    @Test func `rights have names`() {
        #expect(TicketRights(names: ["write", "read"]) == [.read, .write])
        #expect(TicketRights(names: []) == nil)
        #expect(TicketRights(names: ["read", "admin"]) == nil)
        #expect(TicketRights.all.texts == ["read", "write", "delete"])
    }
}
