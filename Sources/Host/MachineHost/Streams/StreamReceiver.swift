import HTTPModel

/// The receiver of a stream's notifications that there is something to read.
enum StreamReceiver {
    case none
    /// The connection that sends the stream.
    case connection(any HTTPBodyConsumer)
    /// The combined stream that the stream is a part of, and its number there.
    case feed(StreamFeed, slot: UInt8)

    func notify() {
        switch self {
        case .none: break
        case .connection(let consumer): consumer.bodyIsReady()
        case .feed(let feed, let slot): feed.streamIsReady(Int(slot))
        }
    }
}
