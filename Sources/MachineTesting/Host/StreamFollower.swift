public import HTTPModel
import MachineHost

/// A client of a stream, in the place of a connection: it reads when and as much as the test says, takes the bytes apart, and
/// rebuilds what the session shows from the events alone.
public final class StreamFollower: HTTPBodyConsumer {
    /// Every byte that was read.
    public private(set) var bytes: [UInt8] = []
    /// Every event that was read.
    public private(set) var events: [ServerSentEvent] = []
    /// Whether the stream has said that there is something to read since it was last read to its end.
    public private(set) var isReady = false
    /// How often it has said so.
    public private(set) var readyCount = 0
    /// Whether the last byte was read.
    public private(set) var hasFinished = false
    /// What the events say the session shows.
    public private(set) var view = StreamView()
    private let stream: any HTTPBodyStream
    private var parser = EventStreamParser()
    private var isCut = false

    /// Starts to follow; nothing is read yet.
    public init(_ stream: any HTTPBodyStream) {
        self.stream = stream
        stream.start(self)
    }

    /// Reads once, about that many bytes; does nothing once the stream is over.
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

    /// Reads until there is nothing more now, in pieces of about that many bytes.
    public func read(limit: Int = 16384) {
        while case .more = readOnce(limit: limit) {}
    }

    /// The connection is lost.
    public func cut() {
        guard !hasFinished, !isCut else { return }
        isCut = true
        stream.stop()
    }

    /// What the stream calls.
    public func bodyIsReady() {
        isReady = true
        readyCount += 1
    }

    /// Every byte that was read, as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The id to come back with.
    public var lastEventID: String { parser.lastEventID }

    /// After how long the stream asks to come back.
    public var retry: Duration? { parser.retry }

    private func take(_ buffer: [UInt8]) {
        bytes += buffer
        for event in parser.receive(buffer) {
            events.append(event)
            view.take(event)
        }
    }
}
