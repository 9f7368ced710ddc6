/// Where a part of the program says what happened. It is passed in by whoever composes the parts; there is no global one.
public struct Log: Sendable {
    /// Events below this level are not made.
    public let level: LogLevel
    private let sink: @Sendable (LogEvent) -> Void

    /// A log that hands events of at least this level to the sink, which may be called from any thread.
    public init(level: LogLevel, sink: @escaping @Sendable (LogEvent) -> Void) {
        self.level = level
        self.sink = sink
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
}
