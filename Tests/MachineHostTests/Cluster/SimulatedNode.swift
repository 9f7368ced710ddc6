import HTTPModel

@testable import MachineHost

/// A process with a cluster, the sessions that it has in memory, and its calls of the engine, one after another.
final class SimulatedNode {
    /// A session in memory.
    private struct Live {
        /// The inputs whose rows are stored.
        var stored: [Int]
        /// The number of turns, also of those whose rows are not stored.
        var turns: Int
    }

    private struct Call {
        let request: SimulatedEngine.Request
        let willSend: () -> Void
        let whenDone: (SimulatedEngine.Response) -> Void
    }

    let index: Int
    private unowned let simulation: ClusterSimulation
    private(set) var cluster: Cluster?
    private var live: [Int: Live] = [:]
    private var waiting: [Int: [() -> Void]] = [:]
    private var calls: [Call] = []
    private var connection = 1
    /// The number of attempts, of which only the last one's response counts.
    private var attempts = 0
    private(set) var pausedUntil: UInt64 = 0
    /// Changes when the process ends.
    private(set) var start = 0
    private(set) var isDead = false

    init(_ index: Int, _ simulation: ClusterSimulation) {
        (self.index, self.simulation) = (index, simulation)
        join()
    }

    private var now: MonotonicTime { MonotonicTime(nanoseconds: simulation.now * 1_000_000) }

    func pause(for time: UInt64) { pausedUntil = max(pausedUntil, simulation.now + time) }

    /// Ends the process, and starts another one after a time; none without one.
    func kill(for time: UInt64?) {
        start += 1
        isDead = true
        (cluster, live, waiting, calls) = (nil, [:], [:], [])
        guard let time else { return }
        simulation.schedule(after: time) { [self] in if isDead { join() } }
    }

    private func join() {
        (isDead, connection) = (false, 1)
        let began = now
        call(.join) { [self] response in
            guard case .joined(let node) = response else { return }
            cluster = Cluster(node: node, joinedAt: began)
            tick()
        }
    }
}

// The lease.
extension SimulatedNode {
    private func tick() {
        guard cluster != nil else { return }
        perform(cluster?.tick(now: now) ?? [])
        // Not later, because a report may have set another time.
        let left = cluster?.nextTick.map { $0 > now ? UInt64(($0 - now).wholeMilliseconds) : 0 } ?? .max
        simulation.schedule(on: self, after: max(1, min(left, 100))) { [self] in tick() }
    }

    private func perform(_ actions: [Cluster.Action]) {
        for action in actions {
            switch action {
            case .renew: renew()
            case .fence(let lease):
                simulation.counts.fences += 1
                call(.fence(lease)) { _ in }
            case .suspend: simulation.counts.suspensions += 1
            case .drop(let session): drop(Int(session.low))
            case .dropAll:
                simulation.counts.zombies += 1
                // The next start is another node.
                kill(for: 500)
            }
        }
    }

    private func renew() {
        var sent: MonotonicTime?
        call(.renew, willSend: { [self] in sent = now }) { [self] response in
            guard case .leases(let leases) = response, let sent else { return }
            perform(cluster?.leaseWasRenewed(sentAt: sent, leases, now: now) ?? [])
        }
    }

    private func drop(_ session: Int) {
        live[session] = nil
        continueRequests(of: session)
    }

    private func continueRequests(of session: Int) {
        for request in waiting.removeValue(forKey: session) ?? [] { request() }
    }
}

// Sessions.
extension SimulatedNode {
    /// Performs a request. It is passed on at most once.
    func receive(_ request: ClusterSimulation.Request, isPassedOn: Bool = false) {
        let id = StoredSessionID(high: 0, low: UInt64(request.session))
        switch cluster?.locate(id, now: now) {
        case .serve: serve(request)
        case .refuse where simulation.ignoresDeadlines && live[request.session] != nil: serve(request)
        case .claim:
            call(.claim(request.session)) { [self] response in
                guard case .holder(let holder, let rows) = response else { return }
                let other = cluster?.claimHasEnded(id, holder)
                if let other {
                    if !isPassedOn { simulation.pass(request, to: other.node) }
                } else {
                    live[request.session] = Live(stored: rows, turns: rows.count)
                    receive(request, isPassedOn: isPassedOn)
                }
                continueRequests(of: request.session)
            }
        case .wait: waiting[request.session, default: []].append { [self] in receive(request, isPassedOn: isPassedOn) }
        case .refuse, nil: break
        }
    }

    private func serve(_ request: ClusterSimulation.Request) {
        guard let session = live[request.session] else {
            return simulation.fail("session \(request.session) is held and not in memory")
        }
        guard let input = request.input else { return simulation.wasRead(request, session.stored.count) }
        guard let epoch = cluster?.epoch(of: StoredSessionID(high: 0, low: UInt64(request.session))) else { return }
        live[request.session]?.turns += 1
        call(.append(request.session, epoch: epoch, .init(number: session.turns, input: input))) { [self] response in
            guard case .done = response else {
                let id = StoredSessionID(high: 0, low: UInt64(request.session))
                return perform(cluster?.sessionsWereLost([id]) ?? [])
            }
            live[request.session]?.stored.append(input)
            simulation.wasAcknowledged(request)
        }
    }

    /// Moves a session to another node, if this one holds it.
    func move(_ session: Int, to node: NodeID) {
        let id = StoredSessionID(high: 0, low: UInt64(session))
        guard let epoch = cluster?.move(id, now: now) else { return }
        call(.move(session, epoch: epoch, to: node)) { [self] response in
            guard case .holder(let holder, _) = response else { return }
            if holder?.node == node { simulation.counts.moves += 1 }
            perform(cluster?.moveHasEnded(id, holder) ?? [])
            continueRequests(of: session)
        }
    }
}

// Calls of the engine, which are repeated until it responds.
extension SimulatedNode {
    private func call(
        _ request: SimulatedEngine.Request, willSend: @escaping () -> Void = {},
        _ whenDone: @escaping (SimulatedEngine.Response) -> Void
    ) {
        calls.append(Call(request: request, willSend: willSend, whenDone: whenDone))
        if calls.count == 1 { send() }
    }

    private func send() {
        guard let call = calls.first else { return }
        call.willSend()
        let former = start
        attempt(call.request) { [self] response in
            if case .fenced = response { return perform(cluster?.wasFenced() ?? []) }
            call.whenDone(response)
            // The process may have ended meanwhile.
            guard start == former else { return }
            calls.removeFirst()
            send()
        }
    }

    /// Sends a request. Without a response, the connection is taken for lost, and a new one is used.
    private func attempt(
        _ request: SimulatedEngine.Request, _ whenDone: @escaping (SimulatedEngine.Response) -> Void
    ) {
        attempts += 1
        let number = attempts
        simulation.send(request, from: self, connection: connection) { [self] response in
            guard attempts == number else { return }
            attempts += 1
            whenDone(response)
        }
        simulation.schedule(on: self, after: ClusterSimulation.patience) { [self] in
            guard attempts == number else { return }
            switch request {
            case .join: return attempt(request, whenDone)
            case .reconnect:
                connection += 1
                return attempt(request, whenDone)
            default: break
            }
            connection += 1
            attempt(.reconnect) { [self] response in
                if case .fenced = response { return whenDone(response) }
                attempt(request, whenDone)
            }
        }
    }
}
