/// A frame of HTTP/2 (RFC 9113 §4.1), written and read byte by byte with nothing of a library's, so that it can be any frame:
/// also one that no decent client would send.
public struct HTTP2TestFrame: Hashable, Sendable {
    /// The types of frames, by the numbers that stand in them.
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
        /// `PUSH_PROMISE`, which is a server's.
        public static let pushPromise: UInt8 = 5
        /// `PING`.
        public static let ping: UInt8 = 6
        /// `GOAWAY`.
        public static let goAway: UInt8 = 7
        /// `WINDOW_UPDATE`.
        public static let windowUpdate: UInt8 = 8
        /// `CONTINUATION`.
        public static let continuation: UInt8 = 9
        /// `ALTSVC` (RFC 7838), which is a server's.
        public static let alternativeService: UInt8 = 0xA
        /// `ORIGIN` (RFC 8336), which is a server's.
        public static let origin: UInt8 = 0xC
        /// `PRIORITY_UPDATE` (RFC 9218).
        public static let priorityUpdate: UInt8 = 0x10
    }

    /// `END_STREAM`: the sender has nothing more to send on the stream.
    public static let endStream: UInt8 = 0x1
    /// `ACK`: the answer to settings or a ping.
    public static let acknowledged: UInt8 = 0x1
    /// `END_HEADERS`: no `CONTINUATION` follows.
    public static let endHeaders: UInt8 = 0x4
    /// `PRIORITY`: the payload of a header block begins with what the stream depends on.
    public static let prioritized: UInt8 = 0x20
    /// `PADDED`: the payload begins with the length of what stands behind its content.
    public static let padded: UInt8 = 0x8

    /// The number of its type; any number.
    public var kind: UInt8
    /// Its flags, whatever they mean to its type.
    public var flags: UInt8 = 0
    /// The stream that it belongs to, 0 for the connection.
    public var stream: Int32 = 0
    /// What stands behind the nine bytes of its head.
    public var payload: [UInt8] = []

    /// A frame with all its parts.
    public init(kind: UInt8, flags: UInt8 = 0, stream: Int32 = 0, payload: [UInt8] = []) {
        (self.kind, self.flags, self.stream, self.payload) = (kind, flags, stream, payload)
    }

    /// As it is on the wire.
    public var bytes: [UInt8] {
        let count = UInt32(payload.count)
        return [UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF), kind, flags]
            + HTTP2TestFrame.word(UInt32(bitPattern: stream)) + payload
    }

    /// Four bytes, the highest first.
    public static func word(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
    }

    /// All whole frames of some bytes.
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

    /// The number in the payload of a reset, or behind the last stream of a farewell.
    public var code: UInt32? {
        let digits = kind == Kind.goAway ? payload.dropFirst(4).prefix(4) : payload.prefix(4)
        return digits.count == 4 ? digits.reduce(0) { $0 << 8 | UInt32($1) } : nil
    }
}

extension HTTP2TestFrame {
    /// A header block in one frame, its fields as literals.
    public static func headers(
        _ stream: Int32, _ fields: [(String, String)], endsStream: Bool = true, endsHeaders: Bool = true
    ) -> HTTP2TestFrame {
        block(stream, encode(fields), endsStream: endsStream, endsHeaders: endsHeaders)
    }

    /// A header block in one frame, encoded by the caller.
    public static func block(
        _ stream: Int32, _ block: [UInt8], endsStream: Bool = true, endsHeaders: Bool = true
    ) -> HTTP2TestFrame {
        let flags = (endsStream ? endStream : 0) | (endsHeaders ? endHeaders : 0)
        return HTTP2TestFrame(kind: Kind.headers, flags: flags, stream: stream, payload: block)
    }

    /// More of a header block.
    public static func continuation(_ stream: Int32, _ block: [UInt8], endsHeaders: Bool = false) -> HTTP2TestFrame {
        HTTP2TestFrame(kind: Kind.continuation, flags: endsHeaders ? endHeaders : 0, stream: stream, payload: block)
    }

    /// Content.
    public static func data(_ stream: Int32, _ payload: [UInt8], endsStream: Bool = true) -> HTTP2TestFrame {
        HTTP2TestFrame(kind: Kind.data, flags: endsStream ? endStream : 0, stream: stream, payload: payload)
    }

    /// The end of a stream; by default that it is not wanted any more (`CANCEL`).
    public static func reset(_ stream: Int32, code: UInt32 = 8) -> HTTP2TestFrame {
        HTTP2TestFrame(kind: Kind.reset, stream: stream, payload: word(code))
    }

    /// Settings, each a number and a value.
    public static func settings(_ entries: [(UInt16, UInt32)] = []) -> HTTP2TestFrame {
        HTTP2TestFrame(
            kind: Kind.settings,
            payload: entries.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 0xFF)] + word($0.1) })
    }

    /// That the server's settings have been taken.
    public static func settingsAnswer() -> HTTP2TestFrame { HTTP2TestFrame(kind: Kind.settings, flags: acknowledged) }

    /// A ping that wants an answer.
    public static func ping() -> HTTP2TestFrame {
        HTTP2TestFrame(kind: Kind.ping, payload: Array(repeating: 7, count: 8))
    }

    /// So much more room on a stream, or on all of them together for 0.
    public static func windowUpdate(_ stream: Int32, by count: UInt32) -> HTTP2TestFrame {
        HTTP2TestFrame(kind: Kind.windowUpdate, stream: stream, payload: word(count))
    }

    /// The dependence of one stream on another, as RFC 7540 had it.
    public static func priority(_ stream: Int32, on parent: Int32) -> HTTP2TestFrame {
        HTTP2TestFrame(kind: Kind.priority, stream: stream, payload: word(UInt32(bitPattern: parent)) + [15])
    }

    /// Fields as literals that enter no table (RFC 7541 §6.2.2), nothing of them Huffman-coded.
    public static func encode(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { name, value in [0x00] + string(name) + string(value) }
    }

    /// A field as a literal that enters the table (RFC 7541 §6.2.1).
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
