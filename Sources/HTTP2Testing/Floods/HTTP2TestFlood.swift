/// One way to keep a server of HTTP/2 busy for nothing: what a client says at first, and then over and over. A server is to end
/// the connection long before fifty thousand of these frames, and nobody beside it is to notice.
public struct HTTP2TestFlood: Sendable, CustomStringConvertible {
    /// What it is, for people; no other has the same.
    public var name: String
    /// The client's settings, each a number and a value.
    public var settings: [(UInt16, UInt32)] = []
    /// Whether the client reads what the server sends.
    public var reads = true
    /// What comes once, behind the preface.
    public var begin: [HTTP2TestFrame] = []
    /// What comes over and over: the frames of a round, by its number.
    public var frames: @Sendable (Int) -> [HTTP2TestFrame]

    /// A flood with all its parts.
    public init(
        name: String, settings: [(UInt16, UInt32)] = [], reads: Bool = true, begin: [HTTP2TestFrame] = [],
        frames: @escaping @Sendable (Int) -> [HTTP2TestFrame]
    ) {
        self.name = name
        self.settings = settings
        self.reads = reads
        self.begin = begin
        self.frames = frames
    }

    /// As in a list of tests.
    public var description: String { name }

    /// The client's first bytes, up to where the flood begins.
    public var greeting: [UInt8] {
        Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + HTTP2TestFrame.settings(settings).bytes
            + HTTP2TestFrame.settingsAnswer().bytes + begin.flatMap(\.bytes)
    }
}

extension HTTP2TestFlood {
    /// The path whose answer never ends: a server that is tested with ``all`` has to have it.
    public static let endlessPath = "/endless"

    static let get = [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "h")]
    static let post = [(":method", "POST"), (":scheme", "http"), (":path", "/"), (":authority", "h")]
    static let endless = [(":method", "GET"), (":scheme", "http"), (":path", endlessPath), (":authority", "h")]

    /// The number of a client's stream.
    static func stream(_ index: Int) -> Int32 { Int32(2 * index + 1) }
}
