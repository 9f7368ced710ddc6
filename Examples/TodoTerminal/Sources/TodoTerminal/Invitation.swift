import Foundation
import GranaryClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An invitation to the list of somebody else. It is redeemed once for a ticket that is renewed while the program runs.
@MainActor
final class Invitation {
    /// The server.
    let server: URL
    /// The id of the session.
    let session: String
    private var ticket: String

    /// Reads a link with an invitation, as the pages show it; nil if it is not one.
    init?(_ link: URL) {
        guard var parts = URLComponents(url: link, resolvingAgainstBaseURL: true),
            let fragment = parts.percentEncodedFragment
        else { return nil }
        parts.fragment = nil
        let items = URLComponents(string: "?\(fragment)")?.queryItems ?? []
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        guard let server = parts.url, values["machine"] == ComposableTodos.machineName,
            let session = values["session"], let ticket = values["ticket"],
            (session + ticket).utf8.allSatisfy({ $0 != UInt8(ascii: "/") && (0x21...0x7E).contains($0) })
        else { return nil }
        (self.server, self.session, self.ticket) = (server, session, ticket)
    }

    /// Redeems the ticket for another one, with which the next call continues.
    func redeem() async throws -> Credential {
        var request = URLRequest(url: server.appending(path: "v1/sessions/\(session)/tickets"))
        request.httpMethod = "POST"
        request.setValue("Ticket \(ticket)", forHTTPHeaderField: "Authorization")
        let (data, _) = try await URLSession.shared.data(for: request)
        let reply = try JSONDecoder().decode(Reply.self, from: data)
        guard let redeemed = reply.ticket, let expires = reply.expires,
            let date = try? Date(expires, strategy: .iso8601)
        else { throw Refusal(description: reply.detail ?? "Expected a ticket.") }
        ticket = redeemed
        return .ticket(redeemed, validFor: .seconds(date.timeIntervalSinceNow))
    }

    /// The response: a ticket, or a problem with its detail.
    private struct Reply: Decodable {
        let ticket: String?
        let expires: String?
        let detail: String?
    }

    private struct Refusal: Error, CustomStringConvertible {
        let description: String
    }
}
