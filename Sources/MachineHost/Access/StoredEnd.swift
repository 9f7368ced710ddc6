import Access
import HTTPModel
import StateCapture

/// What is stored of a session that has ended.
struct StoredEnd {
    /// Why it has ended; nil if this build does not know the reason.
    let reason: EndReason?
    /// The principal to which the session belonged; nil if everyone who knows its id may learn of the end.
    let owner: PrincipalHash?

    init(_ reason: EndReason?, owner: PrincipalHash?) {
        self.reason = reason
        self.owner = owner
    }

    /// Nobody, for a session whose owner cannot be read.
    static let nobody = PrincipalHash([UInt8](repeating: 0, count: PrincipalHash.byteCount))

    /// Reads the content of a snapshot.
    init(_ content: [UInt8]) {
        reason = EndReason(storedContent: content)
        guard let value = try? StateValue(json: content), let text = value["owner"]?.text else {
            owner = nil
            return
        }
        owner = StoredEnd.owner(text)
    }

    /// The content of the snapshot of a session that ends for a reason.
    static func content(_ reason: EndReason, owner: PrincipalHash?) -> [UInt8] {
        var content = reason.storedContent
        guard let owner else { return content }
        content.removeLast()
        content.append(",\"owner\":\"")
        content.append(contentsOf: Hexadecimal.text(of: owner.bytes).utf8)
        content.append("\"}")
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
