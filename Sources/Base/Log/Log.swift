/// A destination for the events of a part of the program. The creator of the part passes it in; there is no global log.
public struct Log: Sendable {
    /// The minimum level. Less severe events are not created. It may change while the program runs.
    public var level: LogLevel { threshold.level }
    private let threshold: LogThreshold
    /// The levels of the modules of the program, which share the sink of this log.
    package let levels: LogLevels
    private let sink: @Sendable (LogEvent) -> Void
    private let flushSink: @Sendable (Duration) -> Void

    /// Creates a log that passes events of at least the given level to a sink.
    ///
    /// - Parameters:
    ///   - level: The minimum level.
    ///   - sink: Called on any thread, including the threads of event loops, so it must not wait.
    ///   - flush: Waits until the events have been written, at most for the given time.
    public init(
        level: LogLevel, sink: @escaping @Sendable (LogEvent) -> Void,
        flush: @escaping @Sendable (_ limit: Duration) -> Void = { _ in }
    ) {
        levels = LogLevels(level)
        threshold = levels.threshold
        self.sink = sink
        flushSink = flush
    }

    private init(_ log: Log, module: String) {
        (levels, sink, flushSink) = (log.levels, log.sink, log.flushSink)
        threshold = log.levels.threshold(of: module)
    }

    /// Returns the log of a module: the same log, with a level of its own. A log that was returned for the same name has the same level.
    package func module(_ name: String) -> Log { Log(self, module: name) }

    /// A log that discards all events.
    public static var silent: Log { Log(level: .error) { _ in } }

    /// Logs an event. The arguments are not evaluated if the event is below the log's level.
    public func callAsFunction(
        _ level: LogLevel, _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
    ) {
        guard level >= self.level else { return }
        sink(LogEvent(level, message(), fields(), []))
    }

    /// Logs an event with further fields, such as those that name a trace.
    package func callAsFunction(
        _ level: LogLevel, _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> KeyValuePairs<String, LogValue>, and further: @autoclosure () -> LogEvent.Fields
    ) {
        guard level >= self.level else { return }
        sink(LogEvent(level, message(), fields(), further()))
    }

    /// Logs an event that clients can cause, like ``callAsFunction(_:_:_:)``. Only a few events of a kind are logged in
    /// each interval, followed by the number of suppressed events, so that a flood of requests does not become a flood
    /// of lines.
    public func limited(
        _ level: LogLevel, _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
    ) {
        limited(level, message(), fields(), and: [])
    }

    /// Logs an event that clients can cause, with further fields.
    package func limited(
        _ level: LogLevel, _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> KeyValuePairs<String, LogValue>, and further: @autoclosure () -> LogEvent.Fields
    ) {
        guard level >= self.level else { return }
        var event = LogEvent(level, message(), fields(), further())
        event.isLimited = true
        sink(event)
    }

    /// Logs an event that was created before, unless it is below the log's level.
    package func write(_ event: LogEvent) {
        guard event.level >= level else { return }
        sink(event)
    }

    /// Waits until all events have been written or dropped, at most for the given time. Do not call it on an event
    /// loop.
    public func flush(within limit: Duration) {
        flushSink(limit)
    }
}
