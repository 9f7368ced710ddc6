import Access
import HTTPModel
import StateCapture

/// The part of a session that is stored after its end.
struct StoredEnd {
    /// The reason for which it has ended; nil if this build does not know the reason.
    let reason: EndReason?
    /// The principal to which the session belonged; nil if everyone who knows its id may learn of the end.
    let owner: PrincipalHash?
    /// The generation of the tickets that were valid at the end. The holders of others do not learn of it.
    let ticketGeneration: UInt32

    init(_ reason: EndReason?, owner: PrincipalHash?, ticketGeneration: UInt32 = 0) {
        self.reason = reason
        self.owner = owner
        self.ticketGeneration = ticketGeneration
    }

    init(_ reason: EndReason, of ownership: SessionOwnership) {
        self.init(reason, owner: ownership.owner, ticketGeneration: ownership.tickets.generation)
    }

    init(_ reason: EndReason, of session: Session) {
        // Most sessions have no ownership, which then is not created.
        self = session.isOwned ? StoredEnd(reason, of: session.ownership) : StoredEnd(reason, owner: nil)
    }

    /// Nobody, for a session whose owner cannot be read.
    static let nobody = PrincipalHash([UInt8](repeating: 0, count: PrincipalHash.byteCount))

    /// Reads the content of a snapshot.
    init(_ content: [UInt8]) {
        reason = EndReason(storedContent: content)
        let value = try? StateValue(json: content)
        ticketGeneration = value?["tickets"]?.integer.flatMap { UInt32(exactly: $0) } ?? 0
        owner = value?["owner"]?.text.flatMap { StoredEnd.owner($0) }
    }

    /// The content of a snapshot.
    var content: [UInt8] {
        var content = (reason ?? .deleted).storedContent
        assert(content.last == UInt8(ascii: "}"), "expected a JSON object")
        content.removeLast()
        if let owner {
            content.append(",\"owner\":\"")
            content.append(contentsOf: Hexadecimal.text(of: owner.bytes).utf8)
            content.append("\"")
        }
        if ticketGeneration > 0 { content.append(contentsOf: ",\"tickets\":\(ticketGeneration)".utf8) }
        content.append("}")
        return content
    }

    private static func owner(_ text: String) -> PrincipalHash? {
        var bytes: [UInt8] = []
        var rest = Substring(text)
        while !rest.isEmpty, let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return PrincipalHash(bytes) ?? nobody
    }
}
