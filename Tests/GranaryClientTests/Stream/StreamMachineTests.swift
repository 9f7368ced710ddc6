import Testing

@testable import GranaryClient

struct StreamMachineTests {
    private let policy = RetryPolicy(firstDelay: .seconds(1), longestDelay: .seconds(8), maxAttempts: 4)

    /// A machine whose stream for sessions is being opened.
    private func opening(_ sessions: [String] = ["A"], canRenew: Bool = true) -> StreamMachine {
        var machine = StreamMachine(policy: policy, canRenewCredential: canRenew)
        for session in sessions { _ = machine.add(session) }
        #expect(machine.waited(at: .zero) == [.open(sessions: sessions, position: nil), .watch(.seconds(45))])
        return machine
    }

    /// A machine whose stream is open and has shown its sessions.
    private func live(_ sessions: [String] = ["A"], canRenew: Bool = true) -> StreamMachine {
        var machine = opening(sessions, canRenew: canRenew)
        #expect(machine.opened(at: .zero) == [])
        for session in sessions { _ = machine.receive(snapshot(session, "\(session)1.0")) }
        return machine
    }

    private func snapshot(_ session: String, _ position: String, _ data: String = "{}") -> String {
        event("snapshot", session, position, data)
    }

    private func event(_ name: String, _ session: String, _ position: String, _ data: String = "{}") -> String {
        "event: \(name)\nid: x\ndata: {\"session\":\"\(session)\",\"id\":\"\(position)\",\"data\":\(data)}\n\n"
    }

    private func end(_ session: String, _ reason: String) -> String {
        "event: end\nid: x\ndata: {\"session\":\"\(session)\",\"data\":{\"reason\":\"\(reason)\"}}\n\n"
    }

    private func delivery(
        _ kind: StreamMachine.SessionEvent.Kind, _ session: String, _ position: String = "", _ data: String = ""
    ) -> StreamMachine.Action {
        .deliver(.init(session: session, kind: kind, position: position, data: Array(data.utf8)))
    }

    @Test func `sessions that are added together share one stream`() {
        var machine = StreamMachine(policy: policy)
        #expect(machine.status(of: "A") == .ended(.closed))
        #expect(machine.add("A") == [.wait(.milliseconds(10))])
        #expect(machine.add("B") == [])
        #expect(machine.add("B") == [])
        #expect(machine.status(of: "A") == .connecting)
        #expect(machine.waited(at: .zero) == [.open(sessions: ["A", "B"], position: nil), .watch(.seconds(45))])
        #expect(machine.status(of: "A") == .connecting)
    }

    @Test func `events are delivered with their position, and make the session live`() {
        var machine = opening()
        _ = machine.opened(at: .zero)
        #expect(machine.status(of: "A") == .connecting)
        #expect(
            machine.receive("retry: 2000\n\n" + snapshot("A", "e.7", #"{"count":7}"#))
                == [delivery(.snapshot, "A", "e.7", #"{"count":7}"#)])
        #expect(machine.status(of: "A") == .live)
        #expect(
            machine.receive(event("change", "A", "e.8", #"{"count":8}"#))
                == [delivery(.change, "A", "e.8", #"{"count":8}"#)])
    }

    @Test func `an interrupted stream continues from the position of each session`() {
        var machine = live(["A", "B"])
        _ = machine.receive(event("change", "B", "B1.1"))
        #expect(machine.disconnected(at: .seconds(1), jitter: 1) == [.close, .wait(.seconds(1))])
        #expect(machine.status(of: "A") == .offline)
        #expect(
            machine.waited(at: .seconds(2))
                == [.open(sessions: ["A", "B"], position: "A1.0~B1.1"), .watch(.seconds(45))])
        #expect(machine.status(of: "A") == .connecting)
        _ = machine.opened(at: .seconds(2))
        #expect(machine.receive(event("resume", "A", "A1.0", #"{"from":0,"missed":0}"#)) == [])
        #expect(machine.status(of: "A") == .live)
        #expect(machine.status(of: "B") == .connecting)
    }

    @Test func `an added session gets a stream with the positions of the others`() {
        var machine = live(["A"])
        #expect(machine.add("B") == [.wait(.milliseconds(10))])
        #expect(machine.status(of: "A") == .live)
        #expect(
            machine.waited(at: .seconds(1)) == [.open(sessions: ["A", "B"], position: "A1.0"), .watch(.seconds(45))])
        #expect(machine.status(of: "A") == .live)
        #expect(machine.waited(at: .seconds(1)) == [])
    }

    @Test func `a removed session is ignored, and the last one closes the stream`() {
        var machine = live(["A", "B"])
        #expect(machine.remove("A") == [.wait(.milliseconds(10))])
        #expect(machine.receive(event("change", "A", "A1.1")) == [])
        #expect(
            machine.waited(at: .zero) == [.open(sessions: ["B"], position: "B1.0"), .watch(.seconds(45))])
        #expect(machine.remove("B") == [.close])
        #expect(machine.state == .idle)
        #expect(machine.remove("B") == [])
        #expect(machine.add("C") == [.wait(.milliseconds(10))])
    }

    @Test func `the attempts are limited until the program asks for more`() {
        var machine = opening()
        for failure in 1...3 {
            #expect(machine.disconnected(at: .zero, jitter: 1) == [.close, .wait(.seconds(1 << (failure - 1)))])
            #expect(machine.waited(at: .zero).count == 2)
        }
        #expect(machine.disconnected(at: .zero, jitter: 1) == [.close])
        #expect(machine.status(of: "A") == .ended(.unreachable))
        #expect(machine.waited(at: .seconds(1000)) == [])
        #expect(machine.add("B") == [])
        #expect(
            machine.reconnect(at: .zero) == [.open(sessions: ["A", "B"], position: nil), .watch(.seconds(45))])
        #expect(machine.disconnected(at: .zero, jitter: 1) == [.close, .wait(.seconds(1))])
    }

    @Test func `a stream that breaks immediately after each snapshot counts as failed`() {
        var machine = opening()
        for _ in 1...3 {
            _ = machine.opened(at: .zero)
            _ = machine.receive(snapshot("A", "e.1"))
            _ = machine.disconnected(at: .seconds(9), jitter: 1)
            _ = machine.waited(at: .zero)
        }
        _ = machine.opened(at: .zero)
        _ = machine.receive(snapshot("A", "e.1"))
        #expect(machine.disconnected(at: .seconds(9), jitter: 1) == [.close])
        #expect(machine.status(of: "A") == .ended(.unreachable))
    }

    @Test func `a stream that has worked for a while makes earlier failures forgotten`() {
        var machine = opening()
        for _ in 1...3 {
            _ = machine.disconnected(at: .zero, jitter: 1)
            _ = machine.waited(at: .zero)
        }
        _ = machine.opened(at: .zero)
        _ = machine.receive(snapshot("A", "e.1"))
        #expect(machine.disconnected(at: .seconds(10), jitter: 1) == [.close, .wait(.seconds(1))])
    }

    @Test(arguments: ["rotated", "draining"])
    func `a stream that the server renews is opened again after the pause that it asks for`(reason: String) {
        var machine = live()
        let end = "retry: 3500\n\nevent: end\ndata: {\"reason\":\"\(reason)\"}\n\n"
        #expect(machine.receive(end, at: .seconds(3600)) == [.close, .wait(.milliseconds(3500))])
        #expect(machine.status(of: "A") == .connecting)
        #expect(machine.failures == 0)
        // The server closes the connection; the stream is closed already.
        #expect(machine.disconnected(at: .seconds(3600), jitter: 1) == [])
    }

    @Test func `a server that renews every stream at once is given up`() {
        var machine = live()
        for _ in 1...3 {
            #expect(machine.receive("event: end\ndata: {\"reason\":\"rotated\"}\n\n").first == .close)
            _ = machine.waited(at: .zero)
            _ = machine.opened(at: .zero)
            _ = machine.receive(snapshot("A", "e.1"))
        }
        #expect(machine.receive("event: end\ndata: {\"reason\":\"rotated\"}\n\n") == [.close])
        #expect(machine.status(of: "A") == .ended(.unreachable))
    }

    @Test func `no server can ask for more patience than the policy has`() {
        var machine = live()
        let end = "retry: 9223372036854775807\n\nevent: end\ndata: {\"reason\":\"rotated\"}\n\n"
        #expect(machine.receive(end, at: .seconds(3600)) == [.close, .wait(.seconds(300))])
    }

    @Test func `a busy server is asked again later`() {
        var machine = opening()
        _ = machine.opened(at: .zero)
        #expect(
            machine.receive("retry: 5000\n\nevent: end\ndata: {\"reason\":\"busy\"}\n\n")
                == [.close, .wait(.seconds(5))])
        #expect(machine.status(of: "A") == .offline)
    }

    @Test(arguments: [
        ("deleted", SessionEnd.deleted), ("expired", .expired), ("unknown", .unknown),
        ("failed", .failed(incident: nil)), ("moved", .other("moved")),
    ])
    func `a session that ends leaves the stream to the others`(reason: String, expected: SessionEnd) {
        var machine = live(["A", "B"])
        #expect(machine.receive(end("A", reason)) == [delivery(.end(expected), "A")])
        #expect(machine.status(of: "B") == .live)
        _ = machine.disconnected(at: .zero, jitter: 1)
        #expect(machine.waited(at: .zero).first == .open(sessions: ["B"], position: "B1.0"))
    }

    @Test func `the end of the last session closes the stream`() {
        var machine = live()
        #expect(machine.receive(end("A", "deleted")) == [delivery(.end(.deleted), "A"), .close])
        #expect(machine.disconnected(at: .zero, jitter: 1) == [])
        #expect(machine.state == .idle)
    }

    @Test func `a failed session has its incident`() {
        var machine = live()
        let end = #"event: end\#ndata: {"session":"A","data":{"reason":"failed","incident":"i7"}}\#n\#n"#
        #expect(machine.receive(end) == [delivery(.end(.failed(incident: "i7")), "A"), .close])
    }

    @Test func `a session whose part of the stream is refused is requested again with the others`() {
        var machine = live(["A", "B"])
        #expect(machine.receive(end("A", "busy")) == [.wait(.seconds(1))])
        #expect(machine.status(of: "A") == .connecting)
        #expect(machine.status(of: "B") == .live)
        #expect(machine.waited(at: .seconds(1)).first == .open(sessions: ["A", "B"], position: "A1.0~B1.0"))
        for _ in 1...3 {
            _ = machine.opened(at: .zero)
            _ = machine.receive(end("A", "busy"))
            _ = machine.waited(at: .zero)
        }
        #expect(machine.status(of: "A") == .ended(.unreachable))
        #expect(machine.status(of: "B") == .live)
    }

    @Test func `a rejected credential is renewed, and the stream continues`() {
        var machine = live()
        #expect(machine.receive("event: end\ndata: {\"reason\":\"unauthorized\"}\n\n") == [.close, .renewCredential])
        #expect(machine.status(of: "A") == .connecting)
        #expect(machine.waited(at: .zero) == [])
        #expect(
            machine.credentialRenewed(true, at: .zero, jitter: 1)
                == [.open(sessions: ["A"], position: "A1.0"), .watch(.seconds(45))])
        let rejection = ClientResponse(status: 401, fields: [:], body: [])
        #expect(machine.refused(rejection, at: .zero, jitter: 1) == [.close, .renewCredential])
        #expect(machine.credentialRenewed(false, at: .zero, jitter: 1) == [.close, .wait(.seconds(1))])
    }

    @Test func `credentials that are always rejected end the attempts`() {
        var machine = opening()
        let rejection = ClientResponse(status: 401, fields: [:], body: [])
        for _ in 1..<StreamMachine.maxRejections {
            #expect(machine.refused(rejection, at: .zero, jitter: 1) == [.close, .renewCredential])
            _ = machine.credentialRenewed(true, at: .zero, jitter: 1)
        }
        #expect(machine.refused(rejection, at: .zero, jitter: 1) == [.close])
        #expect(machine.status(of: "A") == .ended(.unauthorized))
    }

    @Test func `a session that the credential does not permit does not stop the others`() {
        var machine = live(["A", "B"])
        for _ in 1..<StreamMachine.maxRejections {
            #expect(machine.receive(end("A", "unauthorized")) == [.close, .renewCredential])
            _ = machine.credentialRenewed(true, at: .zero, jitter: 1)
            _ = machine.opened(at: .zero)
            _ = machine.receive(snapshot("B", "B1.0"))
        }
        #expect(machine.receive(end("A", "unauthorized")) == [])
        #expect(machine.status(of: "A") == .ended(.unauthorized))
        #expect(machine.status(of: "B") == .live)
        #expect(machine.reconnect(at: .zero).first == .open(sessions: ["A", "B"], position: "A1.0~B1.0"))
    }

    @Test func `a credential that cannot be renewed is not waited for`() {
        var machine = live(["A", "B"], canRenew: false)
        #expect(machine.receive(end("A", "unauthorized")) == [])
        #expect(machine.status(of: "A") == .ended(.unauthorized))
        #expect(machine.receive("event: end\ndata: {\"reason\":\"unauthorized\"}\n\n") == [.close])
        #expect(machine.status(of: "B") == .ended(.unauthorized))
    }

    @Test(arguments: [200, 408, 421, 429, 500, 502, 503])
    func `a refusal for the time being is repeated after the pause that the server asks for`(status: Int) {
        var machine = opening()
        let response = ClientResponse(status: status, fields: ["retry-after": "20"], body: [])
        #expect(machine.refused(response, at: .zero, jitter: 1) == [.close, .wait(.seconds(20))])
    }

    @Test(arguments: [301, 400, 403, 404, 406])
    func `another refusal ends the attempts`(status: Int) {
        var machine = opening()
        let body = Array(#"{"type":"/problems/some","detail":"no"}"#.utf8)
        let response = ClientResponse(status: status, fields: [:], body: body)
        #expect(machine.refused(response, at: .zero, jitter: 1) == [.close])
        let problem = ServerProblem(status: status, kind: "some", detail: "no")
        #expect(machine.status(of: "A") == .ended(.refused(problem)))
    }

    @Test(arguments: [404, 410])
    func `a response of a proxy that does not find the server is not the server's`(status: Int) {
        var machine = opening()
        let response = ClientResponse(status: status, fields: [:], body: Array("<html>".utf8))
        #expect(machine.refused(response, at: .zero, jitter: 1) == [.close, .wait(.seconds(1))])
        #expect(machine.status(of: "A") == .offline)
    }

    @Test func `a stream that is open continues when the program asks for another attempt`() {
        var machine = live(["A", "B"])
        #expect(machine.reconnect(at: .seconds(1)) == [])
        #expect(machine.status(of: "A") == .live)
        // A session that waits to be requested again need not wait longer.
        _ = machine.receive(end("A", "busy"))
        let opening = StreamMachine.Action.open(sessions: ["A", "B"], position: "A1.0~B1.0")
        #expect(machine.reconnect(at: .seconds(1)) == [opening, .watch(.seconds(45))])
        #expect(machine.reconnect(at: .seconds(1)) == [])
        #expect(machine.waited(at: .seconds(2)) == [])
    }

    @Test func `204 says that all sessions have ended`() {
        var machine = opening(["A", "B"])
        let response = ClientResponse(status: 204, fields: [:], body: [])
        #expect(
            machine.refused(response, at: .zero, jitter: 1)
                == [delivery(.end(.unknown), "A"), delivery(.end(.unknown), "B"), .close])
    }

    @Test func `a silent stream is opened again, and a comment is not silence`() {
        var machine = live()
        _ = machine.receive(": keep-alive\n\n", at: .seconds(30))
        #expect(machine.watched(at: .seconds(45), jitter: 1) == [.watch(.seconds(30))])
        #expect(machine.watched(at: .seconds(75), jitter: 1) == [.close, .wait(.seconds(1))])
        #expect(machine.watched(at: .seconds(200), jitter: 1) == [])
    }

    @Test func `a request without a response is given up`() {
        var machine = opening()
        #expect(machine.watched(at: .seconds(45), jitter: 1) == [.close, .wait(.seconds(1))])
    }

    @Test(arguments: ["not JSON", "[]", "7", #"{"session":"A"}"#, #"{"session":"A","id":"x","data":[]}"#, "{}"])
    func `a malformed event interrupts the stream, and nothing of it is shown`(data: String) {
        var machine = live()
        #expect(machine.receive("event: change\nid: x\ndata: \(data)\n\n") == [.close, .wait(.seconds(1))])
        #expect(machine.waited(at: .zero).first == .open(sessions: ["A"], position: "A1.0"))
    }

    @Test func `events of unknown kinds and sessions are ignored`() {
        var machine = live()
        #expect(machine.receive(event("novelty", "A", "A1.9")) == [])
        #expect(machine.receive(snapshot("B", "B1.0")) == [])
        #expect(machine.receive(end("B", "deleted")) == [])
        _ = machine.disconnected(at: .zero, jitter: 1)
        #expect(machine.waited(at: .zero).first == .open(sessions: ["A"], position: "A1.0"))
    }

    @Test func `an event without an end does not take memory for ever`() {
        var machine = StreamMachine(policy: policy, maxEventBytes: 1000)
        _ = machine.add("A")
        _ = machine.waited(at: .zero)
        _ = machine.opened(at: .zero)
        #expect(machine.receive("data: " + String(repeating: "x", count: 900)) == [])
        #expect(machine.receive(String(repeating: "x", count: 100)) == [.close, .wait(.seconds(1))])
    }

    @Test func `a session that does not fit the types is left alone until the program asks for it`() {
        var machine = live(["A", "B"])
        #expect(machine.suspend("A", .incompatible("text")) == [.wait(.milliseconds(10))])
        #expect(machine.receive(event("change", "A", "A1.1")) == [])
        #expect(machine.status(of: "A") == .ended(.incompatible("text")))
        #expect(machine.waited(at: .zero).first == .open(sessions: ["B"], position: "B1.0"))
        #expect(machine.reconnect(at: .zero).first == .open(sessions: ["A", "B"], position: "B1.0"))
    }

    @Test func `events after the end of a stream are not delivered`() {
        var machine = live()
        let both = "event: end\ndata: {\"reason\":\"rotated\"}\n\n" + event("change", "A", "A1.1")
        #expect(!machine.receive(both).contains { if case .deliver = $0 { true } else { false } })
    }

    @Test func `an event that arrives byte by byte is delivered once`() {
        var machine = opening()
        _ = machine.opened(at: .zero)
        var actions: [StreamMachine.Action] = []
        for byte in snapshot("A", "e.1").utf8 { actions += machine.received([byte], at: .zero, jitter: 1) }
        #expect(actions == [delivery(.snapshot, "A", "e.1", "{}")])
    }
}

extension StreamMachine {
    /// Takes text of the stream.
    fileprivate mutating func receive(_ text: String, at now: Duration = .zero) -> [Action] {
        received(Array(text.utf8), at: now, jitter: 1)
    }
}
