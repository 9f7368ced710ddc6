import HTTPModel

/// An event stream with consecutive identifiers: one event immediately, then one per interval. Confined to one loop.
///
/// Events that are due are counted, not buffered, so a client that does not read costs no memory.
final class NumberedEvents: HTTPBodyStream {
    private enum End {
        case open
        case draining
        case over
    }

    private let loop: any EventLoop
    private let interval: Duration
    private let last: Int
    private let retry: Duration
    private var next: Int
    /// The number of events that are due and have not been read.
    private var due = 1
    private var hasGreeted = false
    private var end = End.open
    private var timer: (any EventLoopTimer)?
    private weak var consumer: (any HTTPBodyConsumer)?

    /// Creates a stream of the events after `seen` up to `last`. With an interval of zero, all events are due
    /// immediately.
    init(after seen: Int, upTo last: Int, every interval: Duration, retry: Duration, loop: any EventLoop) {
        next = seen + 1
        self.last = last
        self.interval = interval
        self.retry = retry
        self.loop = loop
    }

    func start(_ consumer: any HTTPBodyConsumer) {
        self.consumer = consumer
        if interval > .zero { arm() } else { due = last }
    }

    private func arm() {
        timer = loop.schedule(after: interval) { [weak self] in
            // The timer is not restarted after the last event, so that an idle loop has nothing to do.
            guard let self, next + due <= last else { return }
            due += 1
            arm()
            self.consumer?.bodyIsReady()
        }
    }

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        let enough = buffer.count + limit
        if !hasGreeted {
            hasGreeted = true
            EventStreamEncoder.encode(retry: retry, into: &buffer)
        }
        while due > 0, next <= last, buffer.count < enough, case .open = end {
            EventStreamEncoder.encode(event: nil, id: String(next), data: "{\"number\":\(next)}".utf8, into: &buffer)
            next += 1
            due -= 1
        }
        if case .draining = end {
            EventStreamEncoder.encode(event: "end", data: "{\"reason\":\"draining\"}".utf8, into: &buffer)
        } else if next <= last {
            return due > 0 ? .more : .waiting
        }
        cease()
        return .finished
    }

    /// Ends the stream because the server shuts down. The remaining events are not sent.
    func drain() {
        guard case .open = end else { return }
        end = .draining
        consumer?.bodyIsReady()
    }

    func stop() { cease() }

    private func cease() {
        end = .over
        timer?.cancel()
        timer = nil
    }
}
