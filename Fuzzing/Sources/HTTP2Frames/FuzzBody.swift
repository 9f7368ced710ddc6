import Fuzz
import HTTPModel

/// An answer's content that holds the connection to what it promises to those who make content.
final class FuzzBody: HTTPBodyStream {
    private var left: Int
    private var hasStarted = false
    private var isWaiting = false
    private weak var consumer: (any HTTPBodyConsumer)?
    /// Whether it was read to its end, or stopped.
    private(set) var isOver = false

    init(count: Int) {
        left = count
    }

    func start(_ consumer: any HTTPBodyConsumer) {
        Fuzzer.expect(!hasStarted && !isOver, "content is started twice, or after its end")
        hasStarted = true
        self.consumer = consumer
    }

    /// More has come of what is waited for.
    func goOn() {
        guard isWaiting, !isOver else { return }
        isWaiting = false
        consumer?.bodyIsReady()
    }

    func read(into buffer: inout [UInt8], limit: Int) -> HTTPBodyProgress {
        Fuzzer.expect(hasStarted && !isOver && limit > 0, "content is read before its start or after its end")
        Fuzzer.expect(!isWaiting, "content is read while there is none")
        // In small pieces, so that reads and frames do not fall together.
        let count = min(left, limit, 250)
        buffer += repeatElement(0x62, count: count)
        left -= count
        isOver = left == 0
        isWaiting = !isOver && left < Visit.answerBytes / 2
        return isOver ? .finished : isWaiting ? .waiting : .more
    }

    func stop() {
        Fuzzer.expect(!isOver, "content is stopped after its end")
        isOver = true
    }
}
