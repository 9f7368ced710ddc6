/// A frame (RFC 9113 §4.1), written and read byte by byte with nothing of the library's.
struct Frame: Equatable {
    enum Kind {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let priority: UInt8 = 2
        static let reset: UInt8 = 3
        static let settings: UInt8 = 4
        static let ping: UInt8 = 6
        static let goAway: UInt8 = 7
        static let windowUpdate: UInt8 = 8
        static let continuation: UInt8 = 9
    }

    static let endStream: UInt8 = 0x1
    static let acknowledged: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4
    static let padded: UInt8 = 0x8

    var kind: UInt8
    var flags: UInt8 = 0
    var stream: Int32 = 0
    var payload: [UInt8] = []

    var bytes: [UInt8] {
        let count = UInt32(payload.count)
        return [UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF), kind, flags]
            + Frame.word(UInt32(bitPattern: stream)) + payload
    }

    static func word(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
    }

    /// All whole frames of some bytes.
    static func reading(_ bytes: [UInt8]) -> [Frame] {
        var frames: [Frame] = []
        var rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard rest.count >= 9 + count else { break }
            let stream = head[5...].reduce(Int32(0)) { $0 << 8 | Int32($1) }
            let payload = Array(rest.dropFirst(9).prefix(count))
            frames.append(Frame(kind: head[3], flags: head[4], stream: stream, payload: payload))
            rest = rest.dropFirst(9 + count)
        }
        return frames
    }

    /// The number in the payload of a reset, or behind the last stream of a farewell.
    var code: UInt32? {
        let digits = kind == Kind.goAway ? payload.dropFirst(4).prefix(4) : payload.prefix(4)
        return digits.count == 4 ? digits.reduce(0) { $0 << 8 | UInt32($1) } : nil
    }
}

extension Frame {
    static func headers(
        _ stream: Int32, _ fields: [(String, String)], endsStream: Bool = true, endsHeaders: Bool = true
    ) -> Frame {
        block(stream, Frame.encode(fields), endsStream: endsStream, endsHeaders: endsHeaders)
    }

    static func block(
        _ stream: Int32, _ block: [UInt8], endsStream: Bool = true, endsHeaders: Bool = true
    ) -> Frame {
        let flags = (endsStream ? endStream : 0) | (endsHeaders ? endHeaders : 0)
        return Frame(kind: Kind.headers, flags: flags, stream: stream, payload: block)
    }

    static func continuation(_ stream: Int32, _ block: [UInt8], endsHeaders: Bool = false) -> Frame {
        Frame(kind: Kind.continuation, flags: endsHeaders ? endHeaders : 0, stream: stream, payload: block)
    }

    static func data(_ stream: Int32, _ payload: [UInt8], endsStream: Bool = true) -> Frame {
        Frame(kind: Kind.data, flags: endsStream ? endStream : 0, stream: stream, payload: payload)
    }

    static func reset(_ stream: Int32, code: UInt32 = 8) -> Frame {
        Frame(kind: Kind.reset, stream: stream, payload: word(code))
    }

    static func settings(_ entries: [(UInt16, UInt32)] = []) -> Frame {
        Frame(
            kind: Kind.settings,
            payload: entries.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 0xFF)] + word($0.1) })
    }

    static func settingsAnswer() -> Frame { Frame(kind: Kind.settings, flags: acknowledged) }

    static func ping() -> Frame { Frame(kind: Kind.ping, payload: Array(repeating: 7, count: 8)) }

    static func windowUpdate(_ stream: Int32, by count: UInt32) -> Frame {
        Frame(kind: Kind.windowUpdate, stream: stream, payload: word(count))
    }

    static func priority(_ stream: Int32, on parent: Int32) -> Frame {
        Frame(kind: Kind.priority, stream: stream, payload: word(UInt32(bitPattern: parent)) + [15])
    }

    /// Fields as literals that enter no table (RFC 7541 §6.2.2), nothing of them Huffman-coded.
    static func encode(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { name, value in [0x00] + string(name) + string(value) }
    }

    /// A field as a literal that enters the table (RFC 7541 §6.2.1).
    static func encodeIndexed(_ name: String, _ value: String) -> [UInt8] { [0x40] + string(name) + string(value) }

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
