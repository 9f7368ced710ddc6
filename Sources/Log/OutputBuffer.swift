/// Text that waits to be written: a bounded queue of lines between those who print and the one who writes.
///
/// The owner calls the methods under a lock and writes outside of it. What does not fit is dropped and counted; the count
/// is a line of its own before the next line that fits, or at the end of the queue once everything has been written.
struct OutputBuffer: Sendable {
    /// What the owner does after a line was added.
    enum Action: Equatable {
        /// Nothing: the line waits for the writer, or was dropped.
        case none
        /// Start the writer, which is not running.
        case startWriting
    }

    /// The number of bytes that may wait, those that are being written included.
    let capacity: Int
    private let report: @Sendable (Int) -> [UInt8]
    private var waiting: [UInt8] = []
    private var inFlight = 0
    private var dropped = 0
    private var isWriting = false
    /// Whether the last attempt to write failed. Then a report at the end of the queue would fail as well, and so on.
    private var isFailing = false

    /// An empty buffer.
    ///
    /// - Parameters:
    ///   - capacity: The number of bytes that may wait.
    ///   - report: Returns the line that reports this number of dropped lines.
    init(capacity: Int, report: @escaping @Sendable (Int) -> [UInt8]) {
        self.capacity = capacity
        self.report = report
    }

    /// Adds a line, which ends in a newline, or drops it if it does not fit.
    mutating func append(_ line: [UInt8]) -> Action {
        let reported = dropped > 0 ? report(dropped) : []
        guard waiting.count + inFlight + reported.count + line.count <= capacity else {
            dropped += 1
            return .none
        }
        dropped = 0
        waiting += reported
        waiting += line
        guard !isWriting else { return .none }
        isWriting = true
        return .startWriting
    }

    /// Takes everything that waits; `nil`, and the writer stops, if nothing does.
    mutating func take() -> [UInt8]? {
        if waiting.isEmpty, dropped > 0, !isFailing {
            waiting = report(dropped)
            dropped = 0
        }
        guard !waiting.isEmpty else {
            isWriting = false
            return nil
        }
        let taken = waiting
        waiting = []
        inFlight = taken.count
        return taken
    }

    /// So many of the bytes that were taken have been written.
    mutating func wrote(_ count: Int) {
        inFlight -= count
        isFailing = false
    }

    /// The rest of the bytes that were taken, in which so many lines begin or go on, cannot be written.
    mutating func failed(lines: Int) {
        inFlight = 0
        dropped += lines
        isFailing = true
    }
}
