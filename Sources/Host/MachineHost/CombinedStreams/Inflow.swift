import HTTPModel
import Locking

/// A feed, and what it has delivered.
struct Inflow {
    let feed: StreamFeed
    /// The loop of the feed; nil for the loop of the stream.
    let loop: (any EventLoop)?
    var batch = FeedBatch()
    /// The part of the batch that is read next, and where it continues.
    var part = 0
    var start = 0
    /// Whether the feed will send a batch. The first one is not requested.
    private var isRequested = true

    init(feed: StreamFeed, loop: (any EventLoop)?) {
        self.feed = feed
        self.loop = loop
    }

    /// Whether there may be something to read.
    var hasContent: Bool { loop == nil ? feed.isReady : part < batch.parts.count }

    /// Runs work for the feed on its loop.
    func execute(_ work: @escaping @Sendable (StreamFeed) -> Void) {
        guard let loop else { return work(feed) }
        loop.execute { [feed = UnsafeTransfer(feed)] in work(feed.value) }
    }

    mutating func receive(_ batch: FeedBatch) {
        assert(isRequested, "expected a batch that was requested")
        assert(part == self.batch.parts.count, "expected a batch after the last one was read")
        self.batch = batch
        isRequested = false
    }

    mutating func clear() {
        (batch, part, start) = (FeedBatch(), 0, 0)
    }

    mutating func requestIfEmpty() {
        guard loop != nil, !isRequested, !hasContent else { return }
        isRequested = true
        execute { $0.pull() }
    }
}
