import HTTPModel

/// An event stream whose events are numbered by their ids: one at once, then one in every interval. A reader that takes
/// nothing costs a count of what it is owed. Confined to one loop.
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
    /// How many events the clock has released that have not been read.
    private var due = 1
    private var hasGreeted = false
    private var end = End.open
    private var timer: (any EventLoopTimer)?
    private weak var consumer: (any HTTPBodyConsumer)?

    /// The events behind `seen` up to `last`. Without an interval there is always one to be read.
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

    /// The server goes down: what is left of the events is not sent.
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
