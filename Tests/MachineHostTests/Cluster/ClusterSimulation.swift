import StateCapture

@testable import MachineHost

/// Nodes that share an engine, clients, and a network between them with faults. A seed decides what happens, in virtual time.
final class ClusterSimulation {
    struct Request {
        let session: Int
        /// The input; nil for a read.
        let input: Int?
        /// The inputs of the session that were acknowledged when the request was sent.
        let acknowledged: Int
    }

    struct Counts {
        var (acknowledged, reads, fences, suspensions, zombies, moves) = (0, 0, 0, 0, 0, 0)
    }

    /// The time in milliseconds after which a connection without a response is taken for lost.
    static let patience: UInt64 = 400
    private static let faultsEnd: UInt64 = 22_000
    /// When the last slow commit has ended, and the last node that has stopped is fenced.
    private static let recovered: UInt64 = faultsEnd + 15_000
    private static let end: UInt64 = recovered + 2500

    /// The time in milliseconds.
    private(set) var now: UInt64 = 0
    var counts = Counts()
    /// Whether nodes serve what they have in memory when their deadline has passed.
    let ignoresDeadlines: Bool
    private var random: SeededGenerator
    private var engine: SimulatedEngine
    private var nodes: [SimulatedNode] = []
    private var violations: [String] = []
    private var acknowledged: [[Int]]
    private var lastInput = 0
    /// The inputs that must be acknowledged, because they were sent after the faults.
    private var expected: Set<Int> = []
    /// Until when a node does not reach the engine, and until when its appends take long.
    private var (cuts, slowness): ([Int: UInt64], [Int: UInt64]) = ([:], [:])
    /// The events in the order of their times, the next one last.
    private var events: [(time: UInt64, body: () -> Void)] = []

    init(seed: UInt64, hasFences: Bool = true, ignoresDeadlines: Bool = false) {
        random = SeededGenerator(seed: seed)
        engine = SimulatedEngine(sessions: 4, hasFences: hasFences)
        acknowledged = Array(repeating: [], count: 4)
        self.ignoresDeadlines = ignoresDeadlines
        nodes = (0..<Int.random(in: 2...3, using: &random)).map { SimulatedNode($0, self) }
    }

    /// Runs until the end. Returns what was violated.
    func run() -> [String] {
        scheduleFault()
        scheduleRequest()
        schedule(after: ClusterSimulation.faultsEnd) { [self] in endFaults() }
        schedule(after: ClusterSimulation.recovered) { [self] in sendLast() }
        while let next = events.popLast(), next.time <= ClusterSimulation.end {
            now = next.time
            next.body()
        }
        for (session, inputs) in acknowledged.enumerated() {
            let lost = Set(inputs).subtracting(engine.sessions[session].rows)
            if !lost.isEmpty { fail("session \(session): acknowledged inputs \(lost.sorted()) are lost") }
            if Set(engine.sessions[session].rows).count != engine.sessions[session].rows.count {
                fail("session \(session): an input is stored twice")
            }
        }
        if !expected.isEmpty { fail("inputs \(expected.sorted()) after the faults are not acknowledged") }
        return engine.violations + violations
    }

    func fail(_ violation: String) { violations.append("\(now) ms: \(violation)") }

    func schedule(after delay: UInt64, _ body: @escaping () -> Void) {
        let time = now + delay
        // Events of the same time happen in the order in which they were scheduled.
        var (low, high) = (0, events.count)
        while low < high {
            let middle = (low + high) / 2
            if events[middle].time > time { low = middle + 1 } else { high = middle }
        }
        events.insert((time, body), at: low)
    }

    /// Schedules what a process does: later if it is paused then, and not at all if it has ended.
    func schedule(on node: SimulatedNode, after delay: UInt64, _ body: @escaping () -> Void) {
        let start = node.start
        schedule(after: delay) { [self] in
            guard node.start == start else { return }
            guard node.pausedUntil > now else { return body() }
            schedule(on: node, after: node.pausedUntil - now, body)
        }
    }

    private func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private func any(_ range: ClosedRange<UInt64>) -> UInt64 { UInt64.random(in: range, using: &random) }

    private var areFaultsOver: Bool { now >= ClusterSimulation.faultsEnd }

    /// The time that a message takes.
    private func delay() -> UInt64 { !areFaultsOver && happens(2) ? any(100...3000) : any(1...8) }
}

// The network and the engine.
extension ClusterSimulation {
    func send(
        _ request: SimulatedEngine.Request, from node: SimulatedNode, connection: Int,
        _ respond: @escaping (SimulatedEngine.Response) -> Void
    ) {
        let id = node.cluster?.node ?? NodeID(0)
        for _ in 0..<(!areFaultsOver && happens(3) ? 2 : 1) where !isLost(node) {
            schedule(after: delay()) { [self] in
                process(request, of: id, connection: connection, at: node) { [self] response in
                    guard !isLost(node) else { return }
                    schedule(on: node, after: delay()) { respond(response) }
                }
            }
        }
    }

    private func isLost(_ node: SimulatedNode) -> Bool {
        cuts[node.index, default: 0] > now || !areFaultsOver && happens(2)
    }

    private func process(
        _ request: SimulatedEngine.Request, of node: NodeID, connection: Int, at place: SimulatedNode,
        _ respond: @escaping (SimulatedEngine.Response) -> Void
    ) {
        let locked = engine.lock(request, of: node)
        if let locked, engine.isShared(locked) {
            return engine.wait(for: locked) { [self] in
                process(request, of: node, connection: connection, at: place, respond)
            }
        }
        if let rejection = engine.begin(request, of: node, connection: connection) { return respond(rejection) }
        let commit = { [self] in
            let (response, granted) = engine.commit(request, of: node, connection: connection)
            respond(response)
            for grant in granted { grant() }
        }
        // Whoever has a lock alone keeps nobody waiting for it.
        if locked != nil { return commit() }
        let isSlow = if case .append = request { slowness[place.index, default: 0] > now } else { false }
        schedule(after: isSlow ? any(100...9000) : any(0...3), commit)
    }

    /// Passes a request on to the node that holds its session.
    func pass(_ request: Request, to id: NodeID) {
        guard let node = nodes.first(where: { $0.cluster?.node == id }), areFaultsOver || !happens(5) else { return }
        schedule(on: node, after: delay()) { node.receive(request, isPassedOn: true) }
    }
}

// Clients.
extension ClusterSimulation {
    private func scheduleRequest() {
        schedule(after: any(15...100)) { [self] in
            guard now < ClusterSimulation.faultsEnd + 3000 else { return }
            request(Int.random(in: 0..<acknowledged.count, using: &random), isRead: happens(40), at: any(nodes))
            scheduleRequest()
        }
    }

    private func any(_ nodes: [SimulatedNode]) -> SimulatedNode {
        nodes[Int.random(in: 0..<nodes.count, using: &random)]
    }

    private func request(_ session: Int, isRead: Bool, at node: SimulatedNode) {
        if !isRead { lastInput += 1 }
        let request = Request(
            session: session, input: isRead ? nil : lastInput, acknowledged: acknowledged[session].count)
        schedule(on: node, after: delay()) { node.receive(request) }
    }

    func wasAcknowledged(_ request: Request) {
        guard let input = request.input else { return }
        counts.acknowledged += 1
        acknowledged[request.session].append(input)
        expected.remove(input)
    }

    func wasRead(_ request: Request, _ count: Int) {
        counts.reads += 1
        guard count < request.acknowledged else { return }
        fail("session \(request.session): read \(count) inputs, but \(request.acknowledged) were acknowledged before")
    }

    private func sendLast() {
        for session in acknowledged.indices {
            for node in nodes where !node.isDead {
                request(session, isRead: false, at: node)
                expected.insert(lastInput)
            }
        }
    }
}

// Faults.
extension ClusterSimulation {
    private func scheduleFault() {
        schedule(after: any(500...3500)) { [self] in
            guard !areFaultsOver else { return }
            fault(at: any(nodes))
            scheduleFault()
        }
    }

    private func fault(at node: SimulatedNode) {
        switch Int.random(in: 0..<11, using: &random) {
        case 0, 1: cuts[node.index] = now + any(200...9000)
        case 2, 3: node.pause(for: min(any(200...10_000), ClusterSimulation.faultsEnd - now))
        case 4: node.kill(for: any(100...8000))
        case 5: for node in nodes { cuts[node.index] = now + any(200...7000) }
        case 6, 7:
            // What is in progress then may commit when the node is taken for dead.
            let time = any(200...2000)
            slowness[node.index] = now + time
            let rest = min(any(1000...10_000), ClusterSimulation.faultsEnd - now)
            schedule(after: time) { node.pause(for: rest) }
        default:
            guard let target = any(nodes).cluster?.node else { return }
            for session in acknowledged.indices where happens(50) {
                schedule(on: node, after: 0) { node.move(session, to: target) }
            }
        }
    }

    private func endFaults() {
        (cuts, slowness) = ([:], [:])
        // Sometimes a node stays away; another one is always left.
        if happens(30) { nodes[0].kill(for: nil) }
        for node in nodes.dropFirst() where node.isDead { node.kill(for: 100) }
    }
}
