/// A way to keep an HTTP/2 server busy: frames that a client sends first, and frames that it repeats. A server should
/// end the connection long before fifty thousand of these frames, without an effect on other clients.
public struct HTTP2TestFlood: Sendable, CustomStringConvertible {
    /// The unique name of the flood.
    public var name: String
    /// The client's settings: identifiers and values.
    public var settings: [(UInt16, UInt32)] = []
    /// Whether the client reads the server's output.
    public var reads = true
    /// The frames that are sent once, after the preface.
    public var begin: [HTTP2TestFrame] = []
    /// The repeated frames of a round with a given number.
    public var frames: @Sendable (Int) -> [HTTP2TestFrame]

    /// Creates a flood from its parts.
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

    /// The name, for lists of test arguments.
    public var description: String { name }

    /// The first bytes of the client, before the flood begins.
    public var greeting: [UInt8] {
        Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + HTTP2TestFrame.settings(settings).bytes
            + HTTP2TestFrame.settingsAnswer().bytes + begin.flatMap(\.bytes)
    }
}

extension HTTP2TestFlood {
    /// The path whose response never ends. A server that is tested with ``all`` must provide it.
    public static let endlessPath = "/endless"

    static let get = [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "h")]
    static let post = [(":method", "POST"), (":scheme", "http"), (":path", "/"), (":authority", "h")]
    static let endless = [(":method", "GET"), (":scheme", "http"), (":path", endlessPath), (":authority", "h")]

    /// Returns the stream identifier of a client's stream by its index.
    static func stream(_ index: Int) -> Int32 { Int32(2 * index + 1) }
}
