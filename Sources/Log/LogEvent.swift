/// One thing that happened.
public struct LogEvent: Sendable {
    /// How much it matters.
    public var level: LogLevel
    /// What happened, the same words for every event of its kind: `session failed`.
    public var message: String
    /// The particulars, in order. Never a session's id, an input's value, a credential.
    public var fields: [(name: String, value: LogValue)]
    /// Whether clients can cause events of this kind, so that only a few of them may be written.
    public var isLimited = false

    /// An event from its parts.
    public init(level: LogLevel, message: String, fields: [(name: String, value: LogValue)]) {
        self.level = level
        self.message = message
        self.fields = fields
    }
}

/// The value of one particular of an event.
public enum LogValue: Sendable, Equatable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// Words.
    case text(String)
    /// A count or a size.
    case number(Int)

    /// Words in the source.
    public init(stringLiteral value: String) { self = .text(value) }

    /// A number in the source.
    public init(integerLiteral value: Int) { self = .number(value) }
}
