public import HTTPModel

/// The client of a stream, in place of a connection. It reads only when the test requests it, and at most the requested
/// number of bytes. It parses the events, and reconstructs the session's outputs from the events alone.
public final class StreamFollower: HTTPBodyConsumer {
    /// All bytes that were read.
    public private(set) var bytes: [UInt8] = []
    /// All events that were read.
    public private(set) var events: [ServerSentEvent] = []
    /// Whether the stream has sent a notification since it was last read to its end.
    public private(set) var isReady = false
    /// The number of notifications.
    public private(set) var readyCount = 0
    /// Whether the stream has been read to its last byte.
    public private(set) var hasFinished = false
    /// The client's state after the events.
    public private(set) var view = StreamView()
    private let stream: any HTTPBodyStream
    private var parser = EventStreamParser()
    private var isCut = false

    /// Creates a client that has started the stream and read nothing.
    public init(_ stream: any HTTPBodyStream) {
        self.stream = stream
        stream.start(self)
    }

    /// Reads once, about `limit` bytes. Does nothing after the end of the stream.
    @discardableResult
    public func readOnce(limit: Int = 16384) -> HTTPBodyProgress {
        guard !hasFinished, !isCut else { return .finished }
        var buffer: [UInt8] = []
        let progress = stream.read(into: &buffer, limit: limit)
        if case .more = progress {} else { isReady = false }
        if case .finished = progress { hasFinished = true }
        take(buffer)
        return progress
    }

    /// Reads all available bytes, in pieces of about `limit` bytes.
    public func read(limit: Int = 16384) {
        while case .more = readOnce(limit: limit) {}
    }

    /// Simulates the loss of the connection.
    public func cut() {
        guard !hasFinished, !isCut else { return }
        isCut = true
        stream.stop()
    }

    /// Records a notification of the stream.
    public func bodyIsReady() {
        isReady = true
        readyCount += 1
    }

    /// All bytes that were read, as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The id from which to resume.
    public var lastEventID: String { parser.lastEventID }

    /// The reconnection time that the stream has requested.
    public var retry: Duration? { parser.retry }

    private func take(_ buffer: [UInt8]) {
        bytes += buffer
        for event in parser.receive(buffer) {
            events.append(event)
            view.take(event)
        }
    }
}
