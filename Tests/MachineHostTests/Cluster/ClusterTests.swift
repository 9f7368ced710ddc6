import HTTPModel
import Testing

@testable import MachineHost

struct ClusterTests {
    private let session = StoredSessionID(high: 1, low: 1)
    private let other = NodeID(2)
    private var cluster = Cluster(node: NodeID(1), joinedAt: at(0))

    private func lease(_ counter: Int64) -> NodeLease { NodeLease(node: other, counter: counter, address: "b") }

    private func held(by node: NodeID, _ epoch: Int64) -> SessionHolder {
        SessionHolder(node: node, epoch: epoch, address: "")
    }

    /// Renews the lease, and returns what follows from the leases.
    private mutating func renew(_ time: Double, _ leases: NodeLease...) -> [Cluster.Action] {
        _ = cluster.tick(now: at(time))
        return cluster.leaseWasRenewed(sentAt: at(time), leases, now: at(time + 0.1))
    }

    private mutating func hold(epoch: Int64 = 1) {
        #expect(cluster.locate(session, now: at(0)) == .claim)
        #expect(cluster.claimHasEnded(session, held(by: cluster.node, epoch)) == nil)
    }

    @Test
    mutating func `a lease is renewed each second, one renewal at a time`() {
        #expect(cluster.tick(now: at(0.9)) == [])
        #expect(cluster.tick(now: at(1)) == [.renew])
        #expect(cluster.tick(now: at(3)) == [])
        #expect(cluster.nextTick == at(5))
        #expect(cluster.leaseWasRenewed(sentAt: at(1), [], now: at(3)) == [])
        #expect(cluster.tick(now: at(3)) == [.renew])
    }

    @Test
    mutating func `the deadline is five seconds after the last confirmed renewal was sent`() {
        hold()
        _ = cluster.tick(now: at(1))
        #expect(cluster.leaseWasRenewed(sentAt: at(1), [], now: at(4)) == [])
        #expect(cluster.deadline == at(6))
        #expect(cluster.locate(session, now: at(5.999)) == .serve)
        #expect(cluster.locate(session, now: at(6)) == .refuse)
        #expect(cluster.tick(now: at(6)) == [.suspend, .renew])
        #expect(cluster.tick(now: at(7)) == [])
    }

    @Test
    mutating func `a node that was paused past its deadline serves nothing before it has renewed its lease`() {
        hold()
        #expect(cluster.locate(session, now: at(60)) == .refuse)
        #expect(cluster.tick(now: at(60)) == [.suspend, .renew])
        #expect(cluster.leaseWasRenewed(sentAt: at(60), [], now: at(60.1)) == [])
        #expect(cluster.locate(session, now: at(60.1)) == .serve)
    }

    @Test
    mutating func `a confirmation that is later than the deadline confirms nothing`() {
        hold()
        _ = cluster.tick(now: at(1))
        #expect(cluster.tick(now: at(5)) == [.suspend])
        #expect(cluster.leaseWasRenewed(sentAt: at(1), [], now: at(6)) == [])
        #expect(cluster.locate(session, now: at(6)) == .refuse)
        #expect(cluster.tick(now: at(6)) == [.renew])
    }

    @Test
    mutating func `a node that is fenced drops every session, once`() {
        hold()
        #expect(cluster.wasFenced() == [.dropAll])
        #expect(cluster.wasFenced() == [])
        #expect(cluster.locate(session, now: at(1)) == .refuse)
        #expect(cluster.epoch(of: session) == nil)
        #expect(cluster.tick(now: at(9)) == [])
        #expect(cluster.leaseWasRenewed(sentAt: at(1), [lease(1)], now: at(9)) == [])
        #expect(cluster.nextTick == nil)
    }

    @Test
    mutating func `a node is fenced whose lease was seen unchanged for five seconds`() {
        for time in 1...5 { #expect(renew(Double(time), lease(7)) == []) }
        #expect(renew(6, lease(7)) == [.fence(lease(7))])
        // Not again and again, and later once more if it could not be fenced.
        #expect(renew(7, lease(7)) == [])
        for time in 8...10 { #expect(renew(Double(time), lease(8)) == []) }
    }

    @Test
    mutating func `a lease that changes is observed anew`() {
        for time in 1...5 { #expect(renew(Double(time), lease(7)) == []) }
        for time in 6...10 { #expect(renew(Double(time), lease(8)) == []) }
        #expect(renew(11, lease(8)) == [.fence(lease(8))])
    }

    @Test
    mutating func `nobody is fenced because the journal was unavailable to all`() {
        #expect(renew(1, lease(7)) == [])
        #expect(renew(9, lease(7)) == [])
        for time in 10...13 { #expect(renew(Double(time), lease(7)) == []) }
        #expect(renew(14, lease(7)) == [.fence(lease(7))])
    }

    @Test
    mutating func `a session is claimed once, and its requests wait`() {
        #expect(cluster.locate(session, now: at(0)) == .claim)
        #expect(cluster.locate(session, now: at(0)) == .wait(until: nil))
        #expect(cluster.epoch(of: session) == nil)
        #expect(cluster.claimHasEnded(session, held(by: cluster.node, 3)) == nil)
        #expect(cluster.locate(session, now: at(0)) == .serve)
        #expect(cluster.epoch(of: session) == 3)
        cluster.sessionWasReleased(session)
        #expect(cluster.locate(session, now: at(0)) == .claim)
    }

    @Test
    mutating func `requests for the session of another node are passed on`() {
        #expect(cluster.locate(session, now: at(0)) == .claim)
        #expect(cluster.claimHasEnded(session, held(by: other, 2)) == held(by: other, 2))
        #expect(cluster.epoch(of: session) == nil)
        #expect(cluster.locate(session, now: at(0)) == .claim)
        #expect(cluster.claimHasEnded(session, nil) == nil)
        #expect(cluster.locate(session, now: at(0)) == .claim)
    }

    @Test
    mutating func `a new session has an epoch when it is stored`() {
        cluster.sessionWasCreated(session)
        #expect(cluster.locate(session, now: at(0)) == .serve)
        #expect(cluster.epoch(of: session) == 0)
        #expect(cluster.move(session, now: at(0)) == nil)
        cluster.batchWasStored(under: [session: 0])
        #expect(cluster.epoch(of: session) == 1)
    }

    @Test
    mutating func `requests wait for a move for 100 milliseconds, and then for nothing`() {
        hold(epoch: 4)
        #expect(cluster.move(session, now: at(1)) == 4)
        #expect(cluster.move(session, now: at(1)) == nil)
        #expect(cluster.locate(session, now: at(1)) == .wait(until: at(1.1)))
        #expect(cluster.locate(session, now: at(1.1)) == .refuse)
        #expect(cluster.epoch(of: session) == 4)
        #expect(cluster.moveHasEnded(session, held(by: other, 5)) == [.drop(session)])
        #expect(cluster.locate(session, now: at(1.1)) == .claim)
    }

    @Test
    mutating func `a session that the journal has not passed on continues`() {
        hold(epoch: 4)
        #expect(cluster.move(session, now: at(1)) == 4)
        #expect(cluster.moveHasEnded(session, held(by: cluster.node, 4)) == [])
        #expect(cluster.locate(session, now: at(1)) == .serve)
        #expect(cluster.move(session, now: at(5)) == nil)
    }

    @Test
    mutating func `a session whose rows were rejected is dropped, once`() {
        hold()
        #expect(cluster.sessionsWereLost([session]) == [.drop(session)])
        #expect(cluster.sessionsWereLost([session]) == [])
        #expect(cluster.locate(session, now: at(1)) == .claim)
    }

    @Test
    mutating func `what is reported for a session after the node was fenced changes nothing`() {
        hold()
        _ = cluster.move(session, now: at(1))
        _ = cluster.wasFenced()
        #expect(cluster.moveHasEnded(session, held(by: other, 5)) == [])
        #expect(cluster.claimHasEnded(session, held(by: cluster.node, 5)) == nil)
        #expect(cluster.epoch(of: session) == nil)
    }
}

private func at(_ seconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: UInt64((seconds * 1000).rounded()) * 1_000_000)
}
