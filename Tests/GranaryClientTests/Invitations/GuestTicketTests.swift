import Foundation
import HTTPModel
import MachineHost
import Testing

@testable import GranaryClient

@MainActor
struct GuestTicketTests {
    private let world: TestWorld
    private let office = TicketOffice()
    private let session: String

    init() async throws {
        // The office renews tickets in place of the host, which would otherwise end a session that nobody uses.
        var host = HostConfiguration()
        host.idleExpiry = .seconds(100_000)
        let world = try TestWorld(host: host)
        self.world = world
        session = try await world.machine().id
        world.transport.intercept = { [office] in office.answer($0, at: world.clock.now) }
    }

    private func redeem(_ ticket: String = "invitation") async throws {
        let link = try #require(URL(string: "http://granary.test/#machine=tally&session=\(session)&ticket=\(ticket)"))
        let invitation = try #require(Invitation(link))
        try await world.finish { try await world.connection.redeem(invitation) }
    }

    private var redemptions: [ClientRequest] { world.transport.requests.filter { $0.url.path.hasSuffix("/tickets") } }

    /// The credential of the next request.
    private func credential() async throws -> String? {
        _ = try await world.finish { try await world.connection.machine(Tally.self, id: session) }
        return world.transport.requests.last { $0.method == "GET" && !$0.url.path.hasSuffix("outputs") }?
            .fields["authorization"]
    }

    @Test func `an invitation is redeemed once, and all requests have the ticket`() async throws {
        try await redeem()
        #expect(redemptions.count == 1)
        #expect(redemptions.first?.url.path == "/v1/sessions/\(session)/tickets")
        #expect(redemptions.first?.fields["authorization"] == "Ticket invitation")
        #expect(try await credential() == "Ticket guest-1")
    }

    @Test func `a redemption whose response is lost is repeated with its key`() async throws {
        world.transport.fault = { [world] request in
            let count = world.transport.requests.count { $0.url.path.hasSuffix("/tickets") }
            return request.url.path.hasSuffix("/tickets") && count < 4 ? .cut(after: 0) : nil
        }
        try await redeem()
        #expect(redemptions.count == 4)
        let keys = Set(redemptions.map { $0.fields["idempotency-key"] ?? "" })
        #expect(keys.count == 1 && keys.allSatisfy { $0.utf8.count >= 24 })
        #expect(try await credential() == "Ticket guest-1")
    }

    @Test func `an invitation that somebody else has redeemed is refused with the reason, immediately`() async throws {
        try await redeem()
        await #expect(throws: GranaryError.unauthorized("The ticket was used.")) { try await redeem() }
        #expect(redemptions.count == 2)
    }

    @Test func `a ticket is renewed after half of its time by the clock of the server, again and again`() async throws {
        try await redeem()
        await world.pass(.seconds(1790))
        #expect(redemptions.count == 1)
        await world.pass(.seconds(20))
        #expect(redemptions.count == 2)
        #expect(redemptions.last?.fields["authorization"] == "Ticket guest-1")
        #expect(redemptions.last?.fields["idempotency-key"] == nil)
        #expect(try await credential() == "Ticket guest-2")
        await world.pass(.seconds(1800))
        #expect(redemptions.last?.fields["authorization"] == "Ticket guest-2")
        world.connection.close()
        await world.pass(.seconds(7200))
        #expect(redemptions.count == 3)
    }

    @Test func `a renewal that fails is repeated until the ticket is refused`() async throws {
        try await redeem()
        world.transport.fault = { $0.url.path.hasSuffix("/tickets") ? .refused : nil }
        await world.pass(.seconds(3000))
        let count = redemptions.count
        #expect(count > 26)
        world.transport.fault = { _ in nil }
        await world.pass(.seconds(60))
        #expect(try await credential() == "Ticket guest-2")
        office.isRevoked = true
        await world.pass(.seconds(1800))
        let last = redemptions.count
        await world.pass(.seconds(7200))
        #expect(redemptions.count == last)
    }
}

/// Redeems tickets in place of the host. Its clock is a day ahead.
@MainActor
private final class TicketOffice {
    var isRevoked = false
    private var issued = 0
    private var redeemed: [String: HTTPResponse] = [:]

    func answer(_ request: ClientRequest, at now: Duration) -> HTTPResponse? {
        guard request.url.path.hasSuffix("/tickets") else { return nil }
        let key = request.fields["idempotency-key"] ?? ""
        if let known = redeemed[key] { return known }
        let isInvitation = request.fields["authorization"] == "Ticket invitation"
        guard !isRevoked, !isInvitation || redeemed.isEmpty else {
            return ProblemDetails(
                status: .unauthorized, kind: "invalid-credentials", title: "t", detail: "The ticket was used."
            ).response
        }
        issued += 1
        let date = Date(timeIntervalSince1970: 1_800_086_400 + now / .seconds(1))
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let expires = (date + 3600).formatted(.iso8601)
        let response = HTTPResponse(
            status: .created, fields: [.date: HTTPFieldValue(format.string(from: date)) ?? ""],
            body: .bytes(Array(#"{"ticket":"guest-\#(issued)","expires":"\#(expires)"}"#.utf8)))
        if isInvitation { redeemed[key] = response }
        return response
    }
}
