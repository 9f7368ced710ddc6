import Glibc

extension Log {
    /// A log that writes one line per event to standard error.
    ///
    /// Logging never waits: lines go through a buffer of 1 MiB to a thread that writes them. What the buffer cannot hold, and
    /// what cannot be written (a closed pipe, a full disk), is dropped, and a line reports how many lines were. Call
    /// ``flush(within:)`` before the process ends.
    public static func standardError(level: LogLevel, format: LogFormat) -> Log {
        let writer = OutputWriter(descriptor: STDERR_FILENO, report: format.reportOfDropped)
        return Log(writingTo: writer, level: level, format: format)
    }

    /// A log that writes one line per event through a writer. Of the events that are ``LogEvent/isLimited``, at most five of
    /// a kind are written in ten seconds, then one line with the number of the others.
    public init(writingTo writer: OutputWriter, level: LogLevel, format: LogFormat) {
        let events = LimitedEvents { writer.write(format.line(of: $0, at: .now)) }
        self.init(level: level, sink: events.take) { limit in
            events.finish()
            writer.flush(within: limit)
        }
    }
}

extension LogFormat {
    /// Returns the line, with the time and newline, that reports this number of lines that were dropped.
    @Sendable public func reportOfDropped(_ count: Int) -> String {
        let event = LogEvent(
            level: .warning, message: "log lines were dropped", fields: [(name: "count", value: .number(count))])
        return line(of: event, at: .now)
    }
}
