/// Distinguishes HTTP/2 with prior knowledge (RFC 9113 §3.3) from HTTP/1.1 by the first bytes of a connection.
public enum HTTP2Preface: Hashable, Sendable {
    /// The complete preface has arrived.
    case present
    /// The bytes are the beginning of the preface, but too few to decide.
    case undecided
    /// The bytes are not the preface.
    case absent

    /// The bytes that every HTTP/2 client sends first (RFC 9113 §3.4).
    public static let bytes: [UInt8] = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// Examines all bytes that have arrived so far.
    public static func recognize(_ received: UnsafeRawBufferPointer) -> HTTP2Preface {
        // Hardly any method begins with PR, so most connections are decided by their first two bytes.
        for (byte, expected) in zip(received, bytes) where byte != expected { return .absent }
        return received.count >= bytes.count ? .present : .undecided
    }
}
