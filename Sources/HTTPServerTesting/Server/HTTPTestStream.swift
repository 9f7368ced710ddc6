public import HTTPModel

/// A body stream that a test feeds by hand. Confined to the loop of its connection, like any.
///
/// Sendable only so that a test can hold it: what is mutable is touched on the connection's loop, which is where
/// `onLoop` of the test server runs.
public final class HTTPTestStream: HTTPBodyStream, @unchecked Sendable {
    /// How many bytes the server has asked for and got.
    public private(set) var bytesRead = 0
    /// How often the server has asked.
    public private(set) var reads = 0
    /// Whether the server has started it.
    public private(set) var hasStarted = false
    /// Whether the server has said that the peer is gone.
    public private(set) var isStopped = false

    private var waiting: [UInt8]
    private var endless: UInt8?
    private var isFinished = false
    private weak var consumer: (any HTTPBodyConsumer)?

    /// A stream that starts with these bytes.
    public init(_ start: String = "") {
        waiting = Array(start.utf8)
    }

    /// A stream that always has as much as it is asked for.
    public init(endless byte: UInt8) {
        waiting = []
        endless = byte
    }

    /// Adds bytes to what there is to be read.
    public func append(_ text: String) {
        waiting += Array(text.utf8)
        consumer?.bodyIsReady()
    }

    /// Ends the stream behind what there is.
    public func finish() {
        isFinished = true
        consumer?.bodyIsReady()
    }

    /// Keeps the consumer, to tell it of bytes.
    public func start(_ consumer: any HTTPBodyConsumer) {
        self.consumer = consumer
        hasStarted = true
    }

    /// Gives what there is, up to the limit.
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

    /// Remembers that it was stopped.
    public func stop() {
        isStopped = true
    }
}
