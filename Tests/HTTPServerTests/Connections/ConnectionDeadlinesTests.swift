import Testing

@testable import HTTPServer

/// Times as literals, in seconds.
@Suite struct ConnectionDeadlinesTests {
    private typealias Conditions = ConnectionDeadlines.Conditions

    private static let second: UInt64 = 1_000_000_000
    private static let now: UInt64 = 1000 * second

    private static func at(_ seconds: UInt64) -> UInt64 { now + seconds * second }

    /// Handshake 7, head 10, body 20 and a second for each 1,000 bytes, idle 60, write 45, linger 2, responses 10 and a second
    /// for each 4,096 bytes.
    private static let times: ConnectionTimes = {
        var configuration = HTTPServerConfiguration()
        configuration.headTimeout = .seconds(10)
        configuration.bodyTimeout = .seconds(20)
        configuration.bodyRate = 1000
        configuration.idleTimeout = .seconds(60)
        configuration.writeTimeout = .seconds(45)
        configuration.lingerTimeout = .seconds(2)
        configuration.answerTimeout = .seconds(10)
        configuration.answerRate = 4096
        return ConnectionTimes(configuration)
    }()

    private static func waiting(for wait: ConnectionDeadlines.Wait) -> ConnectionDeadlines {
        var deadlines = ConnectionDeadlines()
        deadlines.update(to: wait, at: now)
        return deadlines
    }

    private static func deadline(
        of wait: ConnectionDeadlines.Wait, _ conditions: Conditions = Conditions()
    ) -> UInt64? {
        waiting(for: wait).deadline(times, conditions)
    }

    @Test func `nothing limits a wait for the server`() {
        #expect(ConnectionDeadlinesTests.deadline(of: .none) == nil)
    }

    @Test(
        arguments: [
            (.handshake, 10), (.firstRequest, 10), (.head, 10), (.body, 20), (.linger, 2), (.content, 5),
            // Looked at before, as the peer may hold a response that the kernel has accepted.
            (.nextRequest, 5), (.write, 5),
        ] as [(ConnectionDeadlines.Wait, UInt64)])
    func `each wait has its limit`(_ wait: ConnectionDeadlines.Wait, _ seconds: UInt64) {
        #expect(ConnectionDeadlinesTests.deadline(of: wait) == ConnectionDeadlinesTests.at(seconds))
    }

    @Test func `a body gets a second for each part that has been received`() {
        let deadline = ConnectionDeadlinesTests.deadline(of: .body, Conditions(bodyCount: 3000))
        #expect(deadline == ConnectionDeadlinesTests.at(23))
    }

    @Test func `a stream of events is limited by the write timeout only`() {
        let deadline = ConnectionDeadlinesTests.deadline(of: .write, Conditions(sendsEvents: true))
        #expect(deadline == ConnectionDeadlinesTests.at(45))
    }

    @Test func `a server that drains waits no longer than for a peer that closes`() {
        let draining = Conditions(isDraining: true, restEnd: ConnectionDeadlinesTests.at(1))
        #expect(ConnectionDeadlinesTests.deadline(of: .firstRequest, draining) == ConnectionDeadlinesTests.at(2))
        #expect(ConnectionDeadlinesTests.deadline(of: .handshake, draining) == ConnectionDeadlinesTests.at(2))
        #expect(ConnectionDeadlinesTests.deadline(of: .nextRequest, draining) == ConnectionDeadlinesTests.at(1))
        #expect(ConnectionDeadlinesTests.deadline(of: .head, draining) == ConnectionDeadlinesTests.at(10))
    }

    @Test func `a wait that goes on keeps its start, another one begins`() {
        var deadlines = ConnectionDeadlinesTests.waiting(for: .head)
        deadlines.update(to: .head, at: ConnectionDeadlinesTests.at(4))
        #expect(deadlines.start == ConnectionDeadlinesTests.now)
        deadlines.update(to: .body, at: ConnectionDeadlinesTests.at(5))
        #expect(deadlines.start == ConnectionDeadlinesTests.at(5))
        deadlines.restart()
        deadlines.update(to: .body, at: ConnectionDeadlinesTests.at(6))
        #expect(deadlines.start == ConnectionDeadlinesTests.at(6))
    }

    @Test(
        arguments: [
            (.handshake, 10, .close), (.firstRequest, 10, .close), (.head, 10, .refuse), (.body, 20, .refuse),
            (.content, 5, .close), (.linger, 2, .checkProgress), (.nextRequest, 5, .checkProgress),
            (.nextRequest, 60, .close), (.write, 5, .checkProgress), (.write, 45, .abort),
        ] as [(ConnectionDeadlines.Wait, UInt64, ConnectionDeadlines.Action)])
    func `what happens at a deadline depends on the wait`(
        _ wait: ConnectionDeadlines.Wait, _ seconds: UInt64, _ action: ConnectionDeadlines.Action
    ) {
        let deadlines = ConnectionDeadlinesTests.waiting(for: wait)
        let time = ConnectionDeadlinesTests.at(seconds)
        #expect(deadlines.timePassed(now: time, ConnectionDeadlinesTests.times, Conditions()) == action)
    }

    @Test func `a deadline that was put off is set again`() {
        let deadlines = ConnectionDeadlinesTests.waiting(for: .head)
        let action = deadlines.timePassed(
            now: ConnectionDeadlinesTests.at(9), ConnectionDeadlinesTests.times, Conditions())
        #expect(action == .wake(at: ConnectionDeadlinesTests.at(10)))
        #expect(
            ConnectionDeadlines().timePassed(
                now: ConnectionDeadlinesTests.now, ConnectionDeadlinesTests.times, Conditions()) == .none)
    }

    @Test func `a connection that rests while the server drains is closed at the end of the rest`() {
        let deadlines = ConnectionDeadlinesTests.waiting(for: .nextRequest)
        let draining = Conditions(isDraining: true, restEnd: ConnectionDeadlinesTests.at(3))
        let end = ConnectionDeadlinesTests.at(3)
        #expect(deadlines.timePassed(now: end, ConnectionDeadlinesTests.times, draining) == .close)
    }

    // What the peer has acknowledged

    private static func check(
        _ deadlines: inout ConnectionDeadlines, at seconds: UInt64, acknowledged: UInt64?, outstanding: Bool = true,
        unsent: Bool = false
    ) -> ConnectionDeadlines.Action {
        let peer = acknowledged.map { PeerProgress(hasOutstandingBytes: outstanding, acknowledged: $0) }
        return deadlines.progressWasChecked(peer, hasUnsentBytes: unsent, now: at(seconds), times)
    }

    @Test func `a peer that acknowledges nothing is cut off after the second half of its time`() {
        var deadlines = ConnectionDeadlinesTests.waiting(for: .nextRequest)
        #expect(ConnectionDeadlinesTests.check(&deadlines, at: 5, acknowledged: 0) == .wait)
        let next = deadlines.deadline(ConnectionDeadlinesTests.times, Conditions())
        #expect(next == ConnectionDeadlinesTests.at(10))
        #expect(ConnectionDeadlinesTests.check(&deadlines, at: 10, acknowledged: 0) == .abort)
    }

    @Test func `acknowledged bytes earn time, up to the write timeout`() {
        var deadlines = ConnectionDeadlinesTests.waiting(for: .write)
        #expect(ConnectionDeadlinesTests.check(&deadlines, at: 5, acknowledged: 3 * 4096, unsent: true) == .wait)
        #expect(
            deadlines.deadline(ConnectionDeadlinesTests.times, Conditions()) == ConnectionDeadlinesTests.at(13))
        #expect(ConnectionDeadlinesTests.check(&deadlines, at: 13, acknowledged: 1 << 40, unsent: true) == .wait)
        // The write timeout of the wait itself comes first.
        #expect(
            deadlines.deadline(ConnectionDeadlinesTests.times, Conditions()) == ConnectionDeadlinesTests.at(45))
    }

    @Test func `a peer that owes nothing is not checked again`() {
        var deadlines = ConnectionDeadlinesTests.waiting(for: .nextRequest)
        #expect(ConnectionDeadlinesTests.check(&deadlines, at: 5, acknowledged: 10, outstanding: false) == .wait)
        #expect(
            deadlines.deadline(ConnectionDeadlinesTests.times, Conditions()) == ConnectionDeadlinesTests.at(60))
    }

    @Test func `a peer that has everything is closed where its end is awaited`() {
        var deadlines = ConnectionDeadlinesTests.waiting(for: .linger)
        #expect(ConnectionDeadlinesTests.check(&deadlines, at: 2, acknowledged: 10) == .wait)
        #expect(ConnectionDeadlinesTests.check(&deadlines, at: 7, acknowledged: 20, outstanding: false) == .close)
    }

    @Test func `a peer whose kernel tells nothing counts as one that has everything`() {
        var deadlines = ConnectionDeadlinesTests.waiting(for: .linger)
        #expect(ConnectionDeadlinesTests.check(&deadlines, at: 2, acknowledged: nil) == .close)
    }

    @Test func `a check belongs to its wait`() {
        var deadlines = ConnectionDeadlinesTests.waiting(for: .nextRequest)
        #expect(ConnectionDeadlinesTests.check(&deadlines, at: 5, acknowledged: 0) == .wait)
        deadlines.restart()
        deadlines.update(to: .nextRequest, at: ConnectionDeadlinesTests.at(8))
        #expect(
            deadlines.deadline(ConnectionDeadlinesTests.times, Conditions()) == ConnectionDeadlinesTests.at(13))
    }
}
