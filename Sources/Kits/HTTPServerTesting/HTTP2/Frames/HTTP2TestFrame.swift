/// An HTTP/2 frame (RFC 9113 §4.1) that is encoded and decoded without a library, so that it can be any frame,
/// including those that no regular client sends.
public struct HTTP2TestFrame: Hashable, Sendable {
    /// The types of frames.
    public enum Kind {
        /// `DATA`.
        public static let data: UInt8 = 0
        /// `HEADERS`.
        public static let headers: UInt8 = 1
        /// `PRIORITY`.
        public static let priority: UInt8 = 2
        /// `RST_STREAM`.
        public static let reset: UInt8 = 3
        /// `SETTINGS`.
        public static let settings: UInt8 = 4
        /// `PUSH_PROMISE`, which only servers send.
        public static let pushPromise: UInt8 = 5
        /// `PING`.
        public static let ping: UInt8 = 6
        /// `GOAWAY`.
        public static let goAway: UInt8 = 7
        /// `WINDOW_UPDATE`.
        public static let windowUpdate: UInt8 = 8
        /// `CONTINUATION`.
        public static let continuation: UInt8 = 9
        /// `ALTSVC` (RFC 7838), which only servers send.
        public static let alternativeService: UInt8 = 0xA
        /// `ORIGIN` (RFC 8336), which only servers send.
        public static let origin: UInt8 = 0xC
        /// `PRIORITY_UPDATE` (RFC 9218).
        public static let priorityUpdate: UInt8 = 0x10
    }

    /// `END_STREAM`: the sender has nothing more to send on the stream.
    public static let endStream: UInt8 = 0x1
    /// `ACK`: acknowledges settings or a ping.
    public static let acknowledged: UInt8 = 0x1
    /// `END_HEADERS`: no `CONTINUATION` follows.
    public static let endHeaders: UInt8 = 0x4
    /// `PRIORITY`: the payload of a header block begins with a dependency.
    public static let prioritized: UInt8 = 0x20
    /// `PADDED`: the payload begins with the length of the padding at its end.
    public static let padded: UInt8 = 0x8

    /// The type, which can be any number.
    public var kind: UInt8
    /// The flags, whose meaning depends on the type.
    public var flags: UInt8 = 0
    /// The stream, or 0 for the connection.
    public var stream: Int32 = 0
    /// The payload after the nine bytes of the frame header.
    public var payload: [UInt8] = []

    /// Creates a frame from its parts.
    public init(kind: UInt8, flags: UInt8 = 0, stream: Int32 = 0, payload: [UInt8] = []) {
        (self.kind, self.flags, self.stream, self.payload) = (kind, flags, stream, payload)
    }

    /// The encoded frame.
    public var bytes: [UInt8] {
        let count = UInt32(payload.count)
        return [UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF), kind, flags]
            + HTTP2TestFrame.word(UInt32(bitPattern: stream)) + payload
    }

    /// Encodes a number in four bytes, the highest first.
    public static func word(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
    }

    /// Decodes all complete frames.
    public static func reading(_ bytes: [UInt8]) -> [HTTP2TestFrame] {
        var frames: [HTTP2TestFrame] = []
        var rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard rest.count >= 9 + count else { break }
            let stream = head[5...].reduce(Int32(0)) { $0 << 8 | Int32($1) }
            let payload = Array(rest.dropFirst(9).prefix(count))
            frames.append(HTTP2TestFrame(kind: head[3], flags: head[4], stream: stream, payload: payload))
            rest = rest.dropFirst(9 + count)
        }
        return frames
    }

    /// The error code of a `RST_STREAM` or `GOAWAY` frame.
    public var code: UInt32? {
        let digits = kind == Kind.goAway ? payload.dropFirst(4).prefix(4) : payload.prefix(4)
        return digits.count == 4 ? digits.reduce(0) { $0 << 8 | UInt32($1) } : nil
    }
}

extension HTTP2TestFrame {
    /// Returns a frame with a header block, whose fields are encoded as literals.
    public static func headers(
        _ stream: Int32, _ fields: [(String, String)], endsStream: Bool = true, endsHeaders: Bool = true
    ) -> HTTP2TestFrame {
        block(stream, encode(fields), endsStream: endsStream, endsHeaders: endsHeaders)
    }

    /// Returns a frame with a header block that the caller has encoded.
    public static func block(
        _ stream: Int32, _ block: [UInt8], endsStream: Bool = true, endsHeaders: Bool = true
    ) -> HTTP2TestFrame {
        let flags = (endsStream ? endStream : 0) | (endsHeaders ? endHeaders : 0)
        return HTTP2TestFrame(kind: Kind.headers, flags: flags, stream: stream, payload: block)
    }

    /// Returns a frame that continues a header block.
    public static func continuation(_ stream: Int32, _ block: [UInt8], endsHeaders: Bool = false) -> HTTP2TestFrame {
        HTTP2TestFrame(kind: Kind.continuation, flags: endsHeaders ? endHeaders : 0, stream: stream, payload: block)
    }

    /// Returns a frame with content.
    public static func data(_ stream: Int32, _ payload: [UInt8], endsStream: Bool = true) -> HTTP2TestFrame {
        HTTP2TestFrame(kind: Kind.data, flags: endsStream ? endStream : 0, stream: stream, payload: payload)
    }

    /// Returns a frame that resets a stream, by default with `CANCEL`.
    public static func reset(_ stream: Int32, code: UInt32 = 8) -> HTTP2TestFrame {
        HTTP2TestFrame(kind: Kind.reset, stream: stream, payload: word(code))
    }

    /// Returns a settings frame with identifiers and values.
    public static func settings(_ entries: [(UInt16, UInt32)] = []) -> HTTP2TestFrame {
        HTTP2TestFrame(
            kind: Kind.settings,
            payload: entries.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 0xFF)] + word($0.1) })
    }

    /// Returns an acknowledgement of the server's settings.
    public static func settingsAnswer() -> HTTP2TestFrame { HTTP2TestFrame(kind: Kind.settings, flags: acknowledged) }

    /// Returns a ping that the peer must acknowledge.
    public static func ping() -> HTTP2TestFrame {
        HTTP2TestFrame(kind: Kind.ping, payload: Array(repeating: 7, count: 8))
    }

    /// Returns a frame that opens the window of a stream, or of the connection for stream 0.
    public static func windowUpdate(_ stream: Int32, by count: UInt32) -> HTTP2TestFrame {
        HTTP2TestFrame(kind: Kind.windowUpdate, stream: stream, payload: word(count))
    }

    /// Returns a frame that makes a stream depend on another one (RFC 7540).
    public static func priority(_ stream: Int32, on parent: Int32) -> HTTP2TestFrame {
        HTTP2TestFrame(kind: Kind.priority, stream: stream, payload: word(UInt32(bitPattern: parent)) + [15])
    }

    /// Encodes fields as literals that are not added to the table (RFC 7541 §6.2.2), without Huffman coding.
    public static func encode(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { name, value in [0x00] + string(name) + string(value) }
    }

    /// Encodes a field as a literal that is added to the table (RFC 7541 §6.2.1).
    public static func encodeIndexed(_ name: String, _ value: String) -> [UInt8] {
        [0x40] + string(name) + string(value)
    }

    private static func string(_ text: String) -> [UInt8] {
        // Latin 1, so that a test can put any byte into a field.
        let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var length: [UInt8] = [127]
        var rest = bytes.count - 127
        while rest >= 128 {
            length.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return length + [UInt8(rest)] + bytes
    }
}
