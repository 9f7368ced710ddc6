import CRuntime

/// A point in time on a session's clock, which keeps its meaning in another process.
///
/// A session's clock counts from an arbitrary point. In memory, the value is a time on that clock; as JSON it is a time
/// of the ``StoredClock`` in nanoseconds since 1970, because only that clock continues in the next process.
public struct StoredTime: Hashable, Sendable, Comparable {
    /// The time on the session's clock, in nanoseconds.
    public var nanoseconds: Int64

    /// Creates a point in time.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Returns whether a time is earlier than another.
    public static func < (lhs: StoredTime, rhs: StoredTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
}

extension StoredTime: Codable {
    /// Decodes a time of the ``StoredClock``, and converts it to the clock of the session that is being restored.
    public init(from decoder: any Decoder) throws {
        let stored = try decoder.singleValueContainer().decode(Int64.self)
        self.init(nanoseconds: stored &- granary_clock_offset())
    }

    /// Encodes the time of the ``StoredClock``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(storedNanoseconds)
    }

    var storedNanoseconds: Int64 { nanoseconds &+ granary_clock_offset() }
}
