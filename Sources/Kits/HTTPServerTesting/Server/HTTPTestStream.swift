public import HTTPModel

/// A body stream that is fed by a test. Confined to the loop of its connection.
///
/// Sendable only so that a test can store it. A test must access it with `onLoop` of the test server, on the loop of
/// the connection.
public final class HTTPTestStream: HTTPBodyStream, @unchecked Sendable {
    /// The number of bytes that the server has read.
    public private(set) var bytesRead = 0
    /// The number of reads by the server.
    public private(set) var reads = 0
    /// Whether the server has started the stream.
    public private(set) var hasStarted = false
    /// Whether the server has stopped the stream because the peer has closed the connection.
    public private(set) var isStopped = false

    private var waiting: [UInt8]
    private var endless: UInt8?
    private var isFinished = false
    private weak var consumer: (any HTTPBodyConsumer)?

    /// Creates a stream with initial content.
    public init(_ start: String = "") {
        waiting = Array(start.utf8)
    }

    /// Creates an endless stream of one byte value.
    public init(endless byte: UInt8) {
        waiting = []
        endless = byte
    }

    /// Appends content to the stream.
    public func append(_ text: String) {
        waiting += Array(text.utf8)
        consumer?.bodyIsReady()
    }

    /// Ends the stream after its current content.
    public func finish() {
        isFinished = true
        consumer?.bodyIsReady()
    }

    /// Stores the consumer in order to notify it of new content.
    public func start(_ consumer: any HTTPBodyConsumer) {
        self.consumer = consumer
        hasStarted = true
    }

    /// Appends available content to the buffer, up to the limit.
    public func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        reads += 1
        if let endless {
            buffer += repeatElement(endless, count: limit)
            bytesRead += limit
            return .more
        }
        let count = min(limit, waiting.count)
        buffer += waiting.prefix(count)
        bytesRead += count
        waiting.removeFirst(count)
        if !waiting.isEmpty { return .more }
        return isFinished ? .finished : .waiting
    }

    /// Records that the stream was stopped.
    public func stop() {
        isStopped = true
    }
}
