/// Tells HTTP/2 with prior knowledge (RFC 9113 §3.3) from HTTP/1.1 by the first bytes of a connection.
public enum HTTP2Preface: Hashable, Sendable {
    /// All 24 bytes of the preface are there.
    case present
    /// What has come is the beginning of the preface, and too little to tell.
    case undecided
    /// Something else.
    case absent

    /// The bytes that every client of HTTP/2 sends first (RFC 9113 §3.4).
    public static let bytes: [UInt8] = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// Looks at all that has come so far.
    public static func recognize(_ received: UnsafeRawBufferPointer) -> HTTP2Preface {
        // No request of HTTP/1.1 that is served begins with a P and an R, so most are told by their first two bytes.
        for (byte, expected) in zip(received, bytes) where byte != expected { return .absent }
        return received.count >= bytes.count ? .present : .undecided
    }
}
