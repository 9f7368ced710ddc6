/// The signed text of a ticket, a credential. Descriptions and mirrors do not show it.
package struct TicketText: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// The text, for the response to its creator and nothing else.
    package let secret: String

    init(secret: String) { self.secret = secret }

    /// A text without the ticket.
    package var description: String { "a ticket" }
    /// A text without the ticket.
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The parameter `ticket` of a target, with which streams are opened: an `EventSource` cannot set fields.
package enum TicketParameter {
    private static let name = "ticket="

    /// Returns the values of the parameter. Neither its name nor its value may be percent-encoded, so that proxies can
    /// find every ticket in a target and remove it from their logs.
    static func values(in query: Substring) -> [Substring] {
        query.split(separator: "&").filter { $0.utf8.starts(with: name.utf8) }.map { $0.dropFirst(name.count) }
    }
}
