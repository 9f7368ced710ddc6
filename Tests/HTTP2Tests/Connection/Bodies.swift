import HTTPModel

/// A body that never produces content.
final class SilentBody: HTTPBodyStream {
    private(set) var isStopped = false
    private(set) var readCount = 0

    func start(_ consumer: any HTTPBodyConsumer) {}

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        readCount += 1
        return .waiting
    }

    func stop() { isStopped = true }
}

/// A body that produces content when a test appends it.
final class ScriptedBody: HTTPBodyStream {
    private weak var consumer: (any HTTPBodyConsumer)?
    private var pending: [UInt8] = []
    private var hasFinished = false
    private(set) var isStopped = false
    private(set) var isStarted = false
    /// The limits of all reads.
    private(set) var limits: [Int] = []

    func append(_ text: String) {
        pending += Array(text.utf8)
        consumer?.bodyIsReady()
    }

    func finish() {
        hasFinished = true
        consumer?.bodyIsReady()
    }

    func start(_ consumer: any HTTPBodyConsumer) {
        isStarted = true
        self.consumer = consumer
    }

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        limits.append(limit)
        buffer += pending
        pending = []
        return hasFinished ? .finished : .waiting
    }

    func stop() { isStopped = true }
}

/// A body that always has more content, up to a number of bytes.
final class EndlessBody: HTTPBodyStream {
    private(set) var remaining: Int
    private(set) var readCount = 0

    init(count: Int) { remaining = count }

    func start(_ consumer: any HTTPBodyConsumer) {}

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        readCount += 1
        let count = min(limit, remaining)
        buffer += Array(repeating: 0x61, count: count)
        remaining -= count
        return remaining == 0 ? .finished : .more
    }

    func stop() {}
}
