import Glibc

extension Log {
    /// Returns a log that writes one line per event to standard error.
    ///
    /// Logging never waits: a thread writes the lines from a buffer of 1 MiB. Lines that do not fit or cannot be
    /// written (a closed pipe, a full disk) are dropped, and a later line states their number. Call ``flush(within:)``
    /// before the process ends.
    public static func standardError(level: LogLevel, format: LogFormat) -> Log {
        let writer = OutputWriter(descriptor: STDERR_FILENO, report: format.reportOfDropped)
        return Log(writingTo: writer, level: level, format: format)
    }

    /// Creates a log that writes one line per event with a writer. Of the events that are ``LogEvent/isLimited``, at
    /// most five of a kind are logged in ten seconds, followed by one line with the number of suppressed events.
    public init(writingTo writer: OutputWriter, level: LogLevel, format: LogFormat) {
        self.init(writingTo: writer, level: level, format: format) { LimitedEvents(sink: $0) }
    }

    /// Creates a log that writes one line per event with a writer.
    ///
    /// - Parameter limited: Returns the filter of the events for a sink, which may have a clock of its own.
    init(
        writingTo writer: OutputWriter, level: LogLevel, format: LogFormat,
        limited: (@escaping @Sendable (LogEvent) -> Void) -> LimitedEvents
    ) {
        let events = limited { writer.write(format.line(of: $0, at: .now)) }
        self.init(level: level, sink: events.take) { limit in
            events.finish()
            writer.flush(within: limit)
        }
    }
}

extension LogFormat {
    /// Returns the line, with time and newline, that reports a number of dropped lines.
    @Sendable public func reportOfDropped(_ count: Int) -> String {
        let event = LogEvent(
            level: .warning, message: "log lines were dropped", fields: [(name: "count", value: .number(count))])
        return line(of: event, at: .now)
    }
}
