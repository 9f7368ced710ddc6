/// The limits of the topics of a host, on all loops.
public struct TopicLimits: Sendable, Equatable {
    /// The maximum number of topics that have subscribers, members or a current value. Beyond it, one without subscribers and members
    /// loses its current value; if all have some, a session that subscribes to another one ends or cannot be created.
    public var count = 10_000
    /// The maximum number of sessions that subscribe to a topic, and of those that are its members. Beyond it, a session that does cannot be
    /// created.
    public var subscribers = 10_000
    /// The maximum number of values of a topic that wait for a session, or for the loop of sessions. Beyond it, the rule of the topic
    /// decides which value is lost.
    public var queuedValues = 256
    /// The maximum number of bytes of a value as JSON. A session that sends a larger one ends with an incident.
    public var valueBytes = 16 << 10
    /// The maximum number of bytes of the values that wait, of their places in queues, of current values and of what members state. Beyond
    /// it, topics without subscribers and members lose their current values; if that is not enough, new values are lost, and new members
    /// are not listed.
    public var bytes = 64 << 20

    /// The maximum number of bytes of a topic's name.
    static let nameBytes = 200

    /// Creates limits with the default values.
    public init() {}
}

/// What happens to the values of a topic for which a session, or the loop of sessions, has no time.
public enum TopicRule: Sendable, Hashable {
    /// The oldest value that waits is lost.
    case dropOldest
    /// The newest value is lost.
    case dropNewest
    /// The topic has a current value, which new subscribers receive. A newer value takes the place of one that waits.
    case latest
}

/// A limit of topics that a session has reached. The session ends, or is not created.
struct TopicLimitReached: LoggableError, Hashable, CustomStringConvertible {
    /// The limit as a clause, with the key of its setting.
    let description: String
    /// Whether it is reached because of other sessions, so that a client may try again.
    let isTransient: Bool

    var logDescription: String { description }

    private init(_ description: String, isTransient: Bool) {
        (self.description, self.isTransient) = (description, isTransient)
    }

    static func topics(_ limit: Int) -> TopicLimitReached {
        TopicLimitReached("all of \(limit) topics have subscribers or members (topics.count)", isTransient: true)
    }

    static func subscribers(of topic: String, _ limit: Int) -> TopicLimitReached {
        TopicLimitReached(
            "the topic \"\(topic)\" has all of its \(limit) subscribers or members (topics.subscribers)",
            isTransient: true)
    }

    static func bytes(_ limit: Int) -> TopicLimitReached {
        TopicLimitReached("the values of all topics take \(limit) bytes (topics.bytes)", isTransient: true)
    }

    static func name(_ bytes: Int) -> TopicLimitReached {
        TopicLimitReached(
            "expected a topic with a name of 1 to \(TopicLimits.nameBytes) bytes, got \(bytes)", isTransient: false)
    }

    static func reserved(_ name: String) -> TopicLimitReached {
        TopicLimitReached("expected a topic to which machines send, got the list \"\(name)\"", isTransient: false)
    }

    static func value(of topic: String, _ bytes: Int, _ limit: Int) -> TopicLimitReached {
        TopicLimitReached(
            "expected a value of the topic \"\(topic)\" of at most \(limit) bytes as JSON, got \(bytes) (topics.valueBytes)",
            isTransient: false)
    }
}
