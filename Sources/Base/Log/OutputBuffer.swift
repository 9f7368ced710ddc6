/// Text that waits to be written: a bounded queue between the logging threads and the writing thread.
///
/// The owner calls the methods under a lock and writes outside of it. Lines that do not fit are dropped and counted.
/// The count is reported in a separate line, before the next line that fits or, when all lines have been written, at
/// the end of the queue.
struct OutputBuffer: Sendable {
    /// The action of the owner after a line was added.
    enum Action: Equatable {
        /// No action: the line waits for the writer, or was dropped.
        case none
        /// Start the writer, which is not running.
        case startWriting
    }

    /// The maximum number of queued bytes, including those that are being written.
    let capacity: Int
    private let report: @Sendable (Int) -> [UInt8]
    private var waiting: [UInt8] = []
    private var inFlight = 0
    private var dropped = 0
    private var isWriting = false
    /// Whether the last attempt to write failed. A report at the end of the queue would then fail as well and cause
    /// another report.
    private var isFailing = false

    /// Creates an empty buffer.
    ///
    /// - Parameters:
    ///   - capacity: The maximum number of queued bytes.
    ///   - report: Returns the line that reports a number of dropped lines.
    init(capacity: Int, report: @escaping @Sendable (Int) -> [UInt8]) {
        self.capacity = capacity
        self.report = report
    }

    /// Adds a line, which ends with a newline, or drops it if it does not fit.
    mutating func append(_ line: [UInt8]) -> Action {
        // Added together with the next line or not at all, so that the report is where the lines are missing.
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

    /// Takes all queued bytes. Returns `nil` if there are none; the writer then stops.
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

    /// Records that a number of the taken bytes have been written.
    mutating func wrote(_ count: Int) {
        inFlight -= count
        isFailing = false
    }

    /// Records that the rest of the taken bytes, which belongs to the given number of lines, cannot be written.
    mutating func failed(lines: Int) {
        inFlight = 0
        dropped += lines
        isFailing = true
    }
}
