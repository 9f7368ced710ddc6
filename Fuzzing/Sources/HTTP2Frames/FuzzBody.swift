import Fuzz
import HTTPModel

/// A response body that checks that the connection keeps the contract of body streams.
final class FuzzBody: HTTPBodyStream {
    private var left: Int
    private var hasStarted = false
    private var isWaiting = false
    private weak var consumer: (any HTTPBodyConsumer)?
    /// Whether the body was read to its end or stopped.
    private(set) var isOver = false

    init(count: Int) {
        left = count
    }

    func start(_ consumer: any HTTPBodyConsumer) {
        Fuzzer.expect(!hasStarted && !isOver, "the body was started twice or after its end")
        hasStarted = true
        self.consumer = consumer
    }

    /// Makes more content available to a waiting connection.
    func resume() {
        guard isWaiting, !isOver else { return }
        isWaiting = false
        consumer?.bodyIsReady()
    }

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        Fuzzer.expect(hasStarted && !isOver && limit > 0, "the body was read before its start or after its end")
        Fuzzer.expect(!isWaiting, "the body was read while no content was available")
        // Small pieces, so that reads and frames do not coincide.
        let count = min(left, limit, 250)
        buffer += repeatElement(0x62, count: count)
        left -= count
        isOver = left == 0
        isWaiting = !isOver && left < Visit.answerBytes / 2
        return isOver ? .finished : isWaiting ? .waiting : .more
    }

    func stop() {
        Fuzzer.expect(!isOver, "the body was stopped after its end")
        isOver = true
    }
}
