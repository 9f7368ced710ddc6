/// Where a part of the program says what happened. It is passed in by whoever composes the parts; there is no global one.
public struct Log: Sendable {
    /// Events below this level are not made.
    public let level: LogLevel
    private let sink: @Sendable (LogEvent) -> Void
    private let flushSink: @Sendable (Duration) -> Void

    /// A log that passes events of at least this level to the sink, which may be called from any thread, an event loop's
    /// among them, and must not wait.
    ///
    /// - Parameter flush: Waits until the events have been written, but no longer than the given time.
    public init(
        level: LogLevel, sink: @escaping @Sendable (LogEvent) -> Void,
        flush: @escaping @Sendable (_ limit: Duration) -> Void = { _ in }
    ) {
        self.level = level
        self.sink = sink
        flushSink = flush
    }

    /// A log that forgets everything.
    public static let silent = Log(level: .error) { _ in }

    /// Says what happened. Neither argument is evaluated below the log's level.
    public func callAsFunction(
        _ level: LogLevel, _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
    ) {
        guard level >= self.level else { return }
        sink(LogEvent(level: level, message: message(), fields: fields().map { (name: $0.key, value: $0.value) }))
    }

    /// As ``callAsFunction(_:_:_:)``, for an event that clients can cause: only a few of a kind are written in a while, and
    /// then the number of the others, so that a flood of requests is not a flood of lines.
    public func limited(
        _ level: LogLevel, _ message: @autoclosure () -> String,
        _ fields: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]
    ) {
        guard level >= self.level else { return }
        var event = LogEvent(
            level: level, message: message(), fields: fields().map { (name: $0.key, value: $0.value) })
        event.isLimited = true
        sink(event)
    }

    /// Waits until everything has been written or lost, but no longer than the given time. Not to be called on an event
    /// loop.
    public func flush(within limit: Duration) {
        flushSink(limit)
    }
}
