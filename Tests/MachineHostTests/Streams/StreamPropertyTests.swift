import HTTPModel
import MachineHost
import MachineTesting
import Testing

struct StreamPropertyTests {
    @Test func `a stream that is cut at any byte of its first 20 events and resumed matches the machine`()
        throws
    {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let whole = harness.follow(session)
        whole.read()
        for step in 1..<20 {
            harness.input(session, step.isMultiple(of: 5) ? "complain" : "add", "\(step)")
            whole.read()
        }
        #expect(whole.events.count == 20)
        #expect(whole.view.emitted.count == 3)
        for place in 0...whole.bytes.count {
            let client = resumed(whole, cutAt: place, session, harness)
            #expect(client.view.outputs == whole.view.outputs, "cut at byte \(place)")
            #expect(client.view.version == whole.view.version, "cut at byte \(place)")
            #expect(client.view.violations.isEmpty, "cut at byte \(place)")
            // A client that was cut off before its first event has no position, so no events are replayed to it.
            #expect(
                client.view.emitted == (client.hadPosition ? whole.view.emitted : []), "cut at byte \(place)")
        }
    }

    @Test func `a stream that is cut at any byte while its session continues matches the machine`() throws {
        for place in stride(from: 0, through: 1400, by: 7) {
            let harness = try HostHarness.counting { $0.historyChanges = 5 }
            let session = harness.makeSession()
            let first = harness.follow(session)
            first.read()
            var step = 0
            while first.bytes.count < place {
                step += 1
                harness.input(session, step.isMultiple(of: 5) ? "complain" : "add", "\(step)")
                first.read()
            }
            // The client is away for fewer changes than are remembered, as many, or more.
            for away in 0..<(place % 9) { harness.input(session, "add", "\(away)") }
            let client = resumed(first, cutAt: place, session, harness)
            let outputs = OutputText(harness.send(.get, session + "/outputs").text)
            #expect(OutputText(client.view.outputs) == outputs, "cut at byte \(place)")
            #expect(client.view.violations.isEmpty, "cut at byte \(place)")
        }
    }

    /// The view of a client that received the first bytes of a stream and reconnected, and whether it had a position.
    private func resumed(
        _ first: StreamFollower, cutAt place: Int, _ session: String, _ harness: HostHarness
    ) -> (view: StreamView, hadPosition: Bool) {
        var parser = EventStreamParser()
        var view = StreamView()
        for event in parser.receive(first.bytes.prefix(place)) { view.take(event) }
        let id = parser.lastEventID
        let second = harness.follow(session, after: id.isEmpty ? nil : id)
        second.read(limit: 7)
        for event in second.events { view.take(event) }
        second.cut()
        return (view, !id.isEmpty)
    }

    @Test(arguments: 0..<60)
    func `clients that read and reconnect at random rebuild the machine's state`(seed: Int) throws {
        var random = Random(seed: UInt64(seed))
        let harness = try HostHarness.counting {
            $0.historyChanges = Int(random.next() % 12) + 1
            $0.historyBytes = 64 << Int(random.next() % 6)
        }
        let session = harness.makeSession()
        var clients = (0..<3).map { _ in Client() }
        for _ in 0..<200 {
            switch random.next() % 6 {
            case 0: harness.input(session, "add", "\(random.next() % 4)")
            case 1: harness.input(session, "late", "\"\(String(repeating: "y", count: Int(random.next() % 90)))\"")
            case 2: harness.input(session, "complain", "\(random.next() % 100)")
            case 3: clients[Int(random.next() % 3)].reconnect(to: session, of: harness)
            default: clients[Int(random.next() % 3)].read(Int(random.next() % 150) + 1)
            }
        }
        let outputs = OutputText(harness.send(.get, session + "/outputs").text)
        for place in clients.indices {
            clients[place].reconnect(to: session, of: harness)
            clients[place].readAll()
            #expect(clients[place].view.violations.isEmpty)
            #expect(OutputText(clients[place].view.outputs) == outputs)
        }
    }

    @Test func `an unread stream costs nothing while its session receives 100,000 inputs, and then catches up`() throws
    {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let stalled = harness.follow(session)
        stalled.read()
        let before = stalled.readyCount
        for round in 0..<60 {
            for _ in 0..<1666 { harness.input(session, "increment") }
            harness.loop.advance(by: .seconds(1))
            #expect(stalled.readyCount == before + 1, "second \(round)")
        }
        for _ in 0..<40 { harness.input(session, "increment") }
        #expect(harness.historyCapacity(of: session) <= 4096)
        stalled.read()
        #expect(stalled.events.map(\.event) == ["snapshot", "snapshot"])
        #expect(stalled.view.outputs == ["count": "100000", "isEven": "true"])
        #expect(stalled.view.violations.isEmpty)
    }
}

/// A client that loses its stream, reconnects and reads arbitrary amounts.
private struct Client {
    var view = StreamView()
    private var follower: StreamFollower?
    private var taken = 0

    mutating func reconnect(to session: String, of harness: HostHarness) {
        follower?.cut()
        let id = follower?.lastEventID ?? ""
        follower = harness.follow(session, after: id.isEmpty ? nil : id)
        taken = 0
    }

    mutating func read(_ limit: Int) {
        follower?.readOnce(limit: limit)
        take()
    }

    mutating func readAll() {
        follower?.read()
        take()
    }

    private mutating func take() {
        guard let follower else { return }
        for event in follower.events[taken...] { view.take(event) }
        taken = follower.events.count
    }
}

/// The members of an object, regardless of their order.
private struct OutputText: Equatable {
    let members: [String: String]

    init(_ text: String) {
        var view = StreamView()
        view.take(ServerSentEvent(event: "snapshot", id: "AAAAAA.0", data: text))
        members = view.outputs
    }

    init(_ members: [String: String]) {
        self.members = members
    }
}

/// A deterministic, seeded generator of random numbers (SplitMix64).
struct Random: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
