/// An event in the log.
public struct LogEvent: Sendable {
    /// The severity.
    public var level: LogLevel
    /// The message, which is the same for all events of a kind: `session failed`.
    public var message: String
    /// The details, in order. They must not contain session ids, input values or credentials.
    public var fields: [(name: String, value: LogValue)]
    /// Whether clients can cause events of this kind, so that their number must be limited.
    public var isLimited = false
    /// Whose event it is, if events of the kind are limited for each of them: a client must not hide what others cause. Empty if
    /// all events of a kind are limited together.
    package var subject: [Detail] = []

    /// A part of a subject.
    package struct Detail: Hashable, Sendable {
        package let name: String
        /// The value of the field.
        package let value: LogValue

        package init(_ name: String, _ value: LogValue) {
            self.name = name
            self.value = value
        }
    }

    /// Creates an event from its parts.
    public init(level: LogLevel, message: String, fields: [(name: String, value: LogValue)]) {
        self.level = level
        self.message = message
        self.fields = fields
    }

    /// The details of an event, in order.
    package typealias Fields = [(name: String, value: LogValue)]

    init(_ level: LogLevel, _ message: String, _ fields: KeyValuePairs<String, LogValue>, _ further: Fields) {
        self.init(level: level, message: message, fields: fields.map { (name: $0.key, value: $0.value) } + further)
    }
}

/// The value of a detail.
public enum LogValue: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// A text.
    case text(String)
    /// A count or a size.
    case number(Int)

    /// Creates a text from a literal.
    public init(stringLiteral value: String) { self = .text(value) }

    /// Creates a number from a literal.
    public init(integerLiteral value: Int) { self = .number(value) }
}
