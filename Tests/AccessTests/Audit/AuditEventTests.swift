import Access
import Locking
import Log
import Testing

@Suite struct AuditEventTests {
    private func fields(_ event: LogEvent) -> [String: LogValue] {
        Dictionary(event.fields.map { ($0.name, $0.value) }) { first, _ in first }
    }

    @Test func `an event names who, what and where`() {
        let event = AuditEvent(
            .sessionCreated(machine: "cart"), by: TestHash.requester(.token, "ada"), sessionHash: "0123abcd",
            client: "192.0.2.1"
        ).event()
        #expect(event.message == "audit: session created" && event.level == .info && event.isLimited)
        let hash = TestHash.hasher.hash(of: Principal(method: .token, id: "ada"))
        #expect(
            fields(event) == [
                "machine": "cart", "principal": .text(hash.description), "session": "0123abcd", "client": "192.0.2.1",
            ])
    }

    @Test func `ids of principals appear only where it is configured`() {
        let principal = Principal(method: .token, issuer: "https://i.example", id: "ada")
        let event = AuditEvent(.sessionEnded, by: .principal(principal, TestHash.hasher.hash(of: principal)))
        #expect(fields(event.event(principals: .id))["principal"] == "token/https://i.example/ada")
        #expect(fields(event.event())["principal"] != "token/https://i.example/ada")
    }

    @Test func `a rejection has its reason and no part of the credential`() {
        let event = AuditEvent(.credentialsRejected(.unknownKey(issuer: "secret")), client: "192.0.2.1").event()
        #expect(fields(event) == ["reason": "unknown-key", "client": "192.0.2.1"])
        #expect(event.level == .warning && event.isLimited)
    }

    @Test func `a ticket appears with its label only`() throws {
        let ticket = try Ticket(
            session: SessionDigest(high: 1, low: 2), rights: .read, generation: 0, expires: .never, label: "player 2")
        let event = AuditEvent(.ticketRedeemed, by: .ticket(ticket)).event()
        #expect(fields(event) == ["ticket": "player 2"])
    }

    @Test func `events are limited for each principal or client, and for each limit`() {
        func subject(_ kind: AuditEvent.Kind, _ requester: Requester?, _ client: String) -> [String] {
            AuditEvent(kind, by: requester, client: client).event(principals: .id).subject.map {
                if case .text(let text) = $0.value { "\($0.name)=\(text)" } else { $0.name }
            }
        }
        let ada = TestHash.requester(.token, "ada")
        #expect(subject(.quotaReached(.bytes), ada, "192.0.2.1") == ["quota=bytes", "principal=token/ada"])
        let inputs = RateLimit("inputs", quota: 1, window: .seconds(1))
        #expect(subject(.rateExceeded(inputs), .anonymous, "192.0.2.1") == ["rate=inputs", "client=192.0.2.1"])
        // A network is one client, and so is whoever discards cookies.
        #expect(subject(.rateExceeded(inputs), .anonymous, "2001:db8::1:2") == ["rate=inputs", "client=2001:db8::"])
        let cookie = TestHash.requester(.cookie, "x")
        #expect(subject(.rateExceeded(inputs), cookie, "192.0.2.1") == ["rate=inputs", "client=192.0.2.1"])
        #expect(subject(.credentialsRejected(.expired), nil, "192.0.2.1") == ["reason=expired", "client=192.0.2.1"])
        #expect(subject(.sessionEnded, ada, "192.0.2.1").isEmpty)
    }

    @Test func `events are written at their level`() {
        let written = Written()
        let log = Log(level: .warning) { written.add($0.message) }
        AuditEvent(.certificatesReloaded).write(to: log)
        AuditEvent(.quotaReached(.sessions)).write(to: log)
        AuditEvent(.keysUnchanged(source: "file", reason: "Line 1.")).write(to: log)
        #expect(written.messages == ["audit: quota reached", "audit: keys not reloaded"])
    }
}

private final class Written: Sendable {
    private let lock = Lock<[String]>([])
    var messages: [String] { lock.withLock { $0 } }
    func add(_ message: String) { lock.withLock { $0.append(message) } }
}
