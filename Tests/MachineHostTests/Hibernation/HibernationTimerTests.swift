import CombineCore
import HTTPModel
import Locking
import MachineTesting
import StateCapture
import Testing

@testable import MachineHost

/// Timers and effects of sessions that could sleep.
struct HibernationTimerTests {
    private let service = FakeService()

    @Test func `a timer that is due soon keeps the session awake`() throws {
        let host = try StoredHost.hibernating(of: .ticking)
        let session = host.makeSession()
        host.advance(by: 100)
        #expect(host.awakeCount == 1)
        #expect(
            host.send(.get, session).text.hasSuffix(
                #""dormant":false,"awake":{"because":"timer","due":"2026-01-01T00:01:41Z"}}"#))
    }

    @Test func `a declared timer wakes its session in time`() throws {
        let definition = MachineDefinition.timing { [$0.timer("slow", every: .seconds(600))] }
        let host = try StoredHost.hibernating(of: definition)
        let session = host.makeSession()
        let stream = try #require(host.stream(session))
        for round in 1...3 {
            stream.read()
            host.advance(by: 590)
            stream.read()
            #expect(host.awakeCount == 0)
            #expect(host.send(.get, session).text.contains(#""inProgress":[{"timer":"slow","due":"2026-01-01T00:"#))
            // Some seconds before, the session wakes, so that the timer is not late.
            host.advance(by: 9)
            stream.read()
            #expect(stream.view.version == UInt64(round - 1))
            host.advance(by: 1)
            stream.read()
            #expect(stream.view.version == UInt64(round))
        }
    }

    @Test func `those who read a session do not put off its timer`() throws {
        let definition = MachineDefinition.timing { [$0.timer("slow", every: .seconds(600))] }
        let host = try StoredHost.hibernating(of: definition)
        let session = host.makeSession()
        host.advance(by: 590)
        #expect(host.awakeCount == 0)
        for _ in 0..<10 {
            host.harness.loop.advance(by: .seconds(1))
            // The loop learns of the due timer while it reads the session for a request.
            host.runJournal()
            _ = host.start(.get, session)
            host.store()
        }
        #expect(host.awakeCount == 1)
        #expect(host.send(.get, session).text.contains(#""version":1,"#))
    }

    /// A machine that answers after a pause of 300 seconds.
    private static let pausing = MachineDefinition.searching { search in
        search.show(
            search.questions.debounce(for: .seconds(300), scheduler: search.machine.context.scheduler)
                .setFailureType(to: (any Error).self))
    }

    @Test func `a timer of an operator wakes its session in time`() throws {
        let host = try StoredHost.hibernating(of: Self.pausing)
        let session = host.makeSession()
        let stream = try #require(host.stream(session))
        _ = host.send(.post, session + "/inputs/ask", body: "1")
        stream.read()
        host.advance(by: 290)
        #expect(host.awakeCount == 0)
        host.harness.loop.advance(by: .milliseconds(9900))
        host.store()
        stream.read()
        #expect(stream.events.map(\.event) == ["snapshot"])
        host.harness.loop.advance(by: .milliseconds(200))
        host.store()
        stream.read()
        #expect(stream.view.outputs["answer"] == #""1""#)
        host.advance(by: 20)
        #expect(host.awakeCount == 0)
    }

    @Test func `a timer that became due while nothing ran fires at once`() throws {
        let host = try StoredHost.hibernating(of: Self.pausing)
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "1")
        host.advance(by: 100)
        #expect(host.awakeCount == 0)
        host.harness.loop.stall(for: .seconds(900))
        host.advance(by: 2)
        #expect(host.send(.get, session + "/outputs").text == #"{"answer":"1"}"#)
    }

    @Test func `an input before the timer does not repeat it`() throws {
        let host = try StoredHost.hibernating(of: .timing { [$0.timer("slow", every: .seconds(600))] })
        let session = host.makeSession()
        host.advance(by: 300)
        _ = host.send(.post, session + "/inputs/ask", body: "1")
        host.advance(by: 310)
        #expect(host.send(.get, session).text.contains(#""version":1,"#))
        host.advance(by: 100)
        #expect(host.awakeCount == 0)
        #expect(host.send(.get, session).text.contains(#""version":1,"#))
    }

    @Test func `an effect without an answer keeps the session awake`() throws {
        let host = try StoredHost.hibernating(of: .askingLatest(service))
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "1")
        host.advance(by: 200)
        #expect(
            host.send(.get, session).text.hasSuffix(
                #""dormant":false,"awake":{"because":"effect","name":"search","since":"2026-01-01T00:00:00Z"}}"#))
        service.answer(0, "one")
        host.advance(by: 80)
        #expect(host.awakeCount == 0)
        #expect(host.send(.get, session).text.contains(#""outputs":{"answer":"one"}"#))
        // The next question is asked as usual.
        _ = host.send(.post, session + "/inputs/ask", body: "2")
        #expect(service.questions == ["1", "2"])
    }

    @Test func `a block that would be lost keeps the session awake`() throws {
        let host = try StoredHost.hibernating { $0.hibernateAfter = .seconds(5) }
        let session = host.makeSession()
        _ = host.send(.post, session + "/inputs/inAMinute")
        host.advance(by: 40)
        #expect(host.send(.get, session).text.hasSuffix(#""dormant":false,"awake":{"because":"work"}}"#))
        host.advance(by: 45)
        #expect(host.awakeCount == 0)
        #expect(host.send(.get, session).text.contains(#""count":1"#))
    }

    @Test func `work that a part cannot capture keeps the session awake`() throws {
        let part = BusyPart()
        let shared = UnsafeTransfer(part)
        let host = try StoredHost.hibernating(
            of: .searching { _ in StateRegistry.current?.register(shared.value) })
        let session = host.makeSession()
        host.advance(by: 200)
        #expect(host.send(.get, session).text.hasSuffix(#""awake":{"because":"work","name":"busy.0"}}"#))
        part.hasUncapturedWork = false
        host.advance(by: 80)
        #expect(host.awakeCount == 0)
    }

    @Test func `an operator that is not captured keeps the session awake while it waits`() throws {
        var definition = Self.pausing
        definition.transient = ["debounce"]
        let host = try StoredHost.hibernating(of: definition)
        let session = host.makeSession()
        host.advance(by: 70)
        #expect(host.awakeCount == 0)
        _ = host.send(.post, session + "/inputs/ask", body: "1")
        host.advance(by: 200)
        #expect(host.send(.get, session).text.hasSuffix(#""awake":{"because":"work"}}"#))
        host.advance(by: 200)
        #expect(host.send(.get, session).text.contains(#""outputs":{"answer":"1"}"#))
    }

    @Test func `a session wakes in the round of another session's turn`() throws {
        let host = try StoredHost.hibernating(of: .timing { [$0.timer("slow", every: .seconds(600))] })
        let (session, other) = (host.makeSession(), host.makeSession())
        host.advance(by: 599)
        let first = host.start(.post, other + "/inputs/ask", body: "1")
        let second = host.start(.post, session + "/inputs/ask", body: "1")
        host.advance(by: 1)
        #expect(first.status == 200)
        #expect(second.status == 200)
        #expect(host.send(.get, session).text.contains(#""version":1,"#))
        #expect(host.send(.get, other).text.contains(#""version":1,"#))
    }
}

/// A part that waits for something that is not captured.
private final class BusyPart: StatefulPart {
    static var partName: StaticString { "busy" }
    static var mayHaveUncapturedWork: Bool { true }
    var hasUncapturedWork = true
    var partState: Bool? { false }

    func restore(_ state: Bool?) {}
}
