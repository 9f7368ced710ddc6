import Locking
import Log

/// Records the messages of a log.
final class LogLines: Sendable {
    private let lines = Lock<[String]>([])

    var log: Log { Log(level: .debug) { [lines] event in lines.withLock { $0.append(event.message) } } }

    var all: [String] { lines.withLock { $0 } }
}
