/// An event as a client receives it.
public struct ServerSentEvent: Hashable, Sendable {
    /// The event's type; `message` if the stream names none.
    public var event: String
    /// The last id that the stream has set, by this event or an earlier one; empty if none exists.
    public var id: String
    /// The data lines, joined with line feeds.
    public var data: String

    /// Creates an event from its parts.
    public init(event: String = "message", id: String = "", data: String) {
        self.event = event
        self.id = id
        self.data = data
    }
}
