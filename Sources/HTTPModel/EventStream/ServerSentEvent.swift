/// One event as a client sees it.
public struct ServerSentEvent: Hashable, Sendable {
    /// The kind, `message` where the stream names none.
    public var event: String
    /// The last id that the stream has set, this event's or an earlier one's; empty where none.
    public var id: String
    /// The data lines, joined by line ends.
    public var data: String

    /// An event from its parts.
    public init(event: String = "message", id: String = "", data: String) {
        self.event = event
        self.id = id
        self.data = data
    }
}
