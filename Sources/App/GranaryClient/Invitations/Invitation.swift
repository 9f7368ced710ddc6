public import Foundation

/// An invitation to a session of somebody else: a link whose fragment has the machine, the session and a ticket, as pages show it.
///
/// Browsers do not send the fragment to servers, and neither does this client.
public struct Invitation: Equatable, Sendable {
    /// The server: the link without its fragment.
    public let server: URL
    /// The name of the machine.
    public let machine: String
    /// The id of the session.
    public let session: String
    /// The ticket, which is usually for one use.
    public let ticket: String

    /// Reads a link. Returns nil if it is not an invitation.
    public init?(_ link: URL) {
        guard var parts = URLComponents(url: link, resolvingAgainstBaseURL: true),
            let fragment = parts.percentEncodedFragment
        else { return nil }
        parts.fragment = nil
        let items = URLComponents(string: "?\(fragment)")?.queryItems ?? []
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        guard let server = parts.url, let machine = values["machine"], let session = values["session"],
            let ticket = values["ticket"], !machine.isEmpty, !session.isEmpty, !ticket.isEmpty,
            (session + ticket).utf8.allSatisfy({ $0 != UInt8(ascii: "/") && (0x21...0x7E).contains($0) })
        else { return nil }
        (self.server, self.machine, self.session, self.ticket) = (server, machine, session, ticket)
    }
}
