import Access
import CaptureTesting
import HTTPModel
import JournalTesting
import Locking
import MachineTesting
import StateCapture

@testable import MachineHost

/// A simulation of a host, its clients and the end of its processes. The seed decides the order of everything.
final class SimulationRun {
    /// How long a session lives without a request, in nanoseconds.
    static let idleExpiry: Int64 = 60_000_000_000

    var random: SeededGenerator
    var checker = SessionChecker()
    private var process: SimulatedProcess
    private var clients: [SimulatedClient] = []
    private let loopCount: Int
    private let configuration: HostConfiguration
    private let durability: Durability
    private let noticesPowerLoss: Bool
    /// The number of times at which the power has failed.
    private(set) var powerLosses = 0
    /// The number of times at which a process has passed its sessions to another one, and has taken them back.
    private(set) var exchanges = (completed: 0, undone: 0)
    /// The wall time at which the process started, and the time that has passed since.
    private var startTime: Int64 = 1_767_225_600_000_000_000
    private var elapsed: Int64 = 0
    /// By how much the wall clock was set, in nanoseconds.
    private let wallLead = Lock<Int64>(0)
    private let setsWallClock: Bool
    private var longPauses = 0
    private var pauses = 0
    private var counter = 0
    private let threads = AlternatingThread()
    /// Receives a line for each event.
    var trace: ((String) -> Void)?
    /// The number of processes that ended.
    private(set) var crashes = 0
    /// The number of sessions that were found or created by their names.
    var namedSessions = 0
    /// The number of responses of sessions that slept.
    var dormantReads = 0

    /// Creates a simulation.
    ///
    /// - Parameters:
    ///   - seed: The same seed gives the same simulation.
    ///   - durability: What sessions survive.
    ///   - acknowledgesEarly: Whether the journal acknowledges batches that it has not stored.
    ///   - noticesPowerLoss: Whether a process learns that the system has been started again.
    init(
        seed: UInt64, durability: Durability = .disk, acknowledgesEarly: Bool = false, noticesPowerLoss: Bool = true
    ) throws {
        self.durability = durability
        self.noticesPowerLoss = noticesPowerLoss
        setsWallClock = seed % 3 == 0
        random = SeededGenerator(seed: seed)
        var faults = JournalFaults.random(seed: random.next(), commits: 60, interval: 8)
        faults.acknowledgesEarly = acknowledgesEarly
        var configuration = HostConfiguration()
        configuration.historyChanges = 6
        configuration.historyBytes = 1000
        configuration.idleExpiry = .nanoseconds(SimulationRun.idleExpiry)
        configuration.streamLifetime = nil
        configuration.turnsPerSnapshot = 5
        configuration.hibernateAfter =
            [nil, .seconds(1), .seconds(1), .seconds(2)].randomElement(using: &random) ?? nil
        self.configuration = configuration
        loopCount = Int.random(in: 1...3, using: &random)
        process = try SimulatedProcess(
            SimulatedJournal(faults: faults), loops: loopCount, at: startTime, wallLead: wallLead, configuration,
            durability: durability, boot: 0)
        for _ in 0..<Int.random(in: 1...3, using: &random) { clients.append(SimulatedClient(self)) }
        watchFlushes()
    }

    /// Runs the simulation. Returns the promises that were broken.
    func run(steps: Int) throws -> [SessionViolation] {
        for _ in 0..<steps {
            // A loop that was idle may continue on another thread.
            threads.run {
                process.adopt()
                step(isFlushing: false)
            }
            process.adopt()
            if pick(40) == 0 { try exchange() }
            try restartIfEnded()
        }
        // What was shown must also survive the loss of power.
        process.journal.crash()
        try restartIfEnded(.power)
        var rounds = 0
        while rounds < 200, !clients.allSatisfy(\.isIdle) {
            rounds += 1
            for client in clients { client.finish() }
            try settle()
        }
        for client in clients { client.look() }
        try settle()
        if rounds == 200 { checker.sawFault("expected all requests to be answered in the end", in: "-") }
        return checker.violations
    }

    /// The time in nanoseconds since 1970, which a wall clock shows that nobody sets.
    var wallTime: Int64 { startTime + elapsed }

    func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    func nextNumber() -> Int {
        counter += 1
        return counter
    }

    func nextMark() -> String { "m\(nextNumber())" }

    func nextKey() -> String { "key-of-22-characters-\(nextNumber())" }

    /// Sends a request to the host, in a later round of its loop.
    func deliver(
        _ request: HTTPRequest, from requester: Requester, to waiting: SimulatedReceiver = SimulatedReceiver(),
        _ receive: @escaping (HTTPResponse) -> Void
    ) {
        let process = self.process
        let index = process.shards[0].placement(of: request) ?? pick(loopCount)
        let receiver = UnsafeTransfer { [weak self] (response: HTTPResponse) in
            guard let self, self.process === process, !process.hasEnded else { return }
            receive(response)
        }
        waiting.received = receiver.value
        let connection = UnsafeTransfer((shard: process.shards[index], waiting: waiting))
        process.loops[index].execute {
            switch connection.value.shard.respond(to: request, from: requester) {
            case .response(let response): receiver.value(response)
            case .deferred(let promise): promise.whenFulfilled(for: connection.value.waiting)
            }
        }
    }
}

// The steps.
extension SimulationRun {
    private func step(isFlushing: Bool) {
        switch pick(100) {
        case ..<34: clients[pick(clients.count)].act()
        case ..<62: process.loops[pick(loopCount)].runRound()
        case ..<77: if !isFlushing { _ = process.executor.runNext() }
        case ..<90: clients[pick(clients.count)].readStream()
        case ..<94 where pauses < 12: pause(isFlushing)
        case ..<97: pass(.milliseconds(pick(50)))
        case 97 where longPauses < 4:
            longPauses += 1
            pass(.seconds(20 + pick(60)))
        case 98: process.journal.crash()
        // A process that has not noted its clock since the system was started takes a step for time.
        case 99 where setsWallClock && process.hasOpened: setWallClock(to: Int64(pick(7201) - 3600) * 1_000_000_000)
        default: break
        }
    }

    /// Lets enough time pass for sessions to sleep, and sometimes has them sleep before their clients use them again.
    private func pause(_ isFlushing: Bool) {
        pauses += 1
        let isQuiet = pick(2) == 0 && !isFlushing
        if isQuiet { process.settle() }
        pass(.milliseconds(1000 + pick(4000)))
        for loop in process.loops where isQuiet { loop.runRound() }
    }

    private func pass(_ duration: Duration) {
        trace?("\(duration) passed")
        process.pass(duration)
        let (seconds, attoseconds) = duration.components
        elapsed += seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        for client in clients { client.noteTime() }
    }

    private func setWallClock(to lead: Int64) {
        trace?("the wall clock is ahead by \(lead / 1_000_000_000) s")
        wallLead.withLock { $0 = lead }
    }

    /// Lets the world go on while the journal flushes.
    private func watchFlushes() {
        process.journal.beforeFlush = { [unowned self] in
            for _ in 0..<pick(5) where !process.hasEnded { step(isFlushing: true) }
        }
    }

    private func settle() throws {
        process.settle()
        try restartIfEnded()
        for client in clients { for _ in 0..<20 { client.readStream() } }
        pass(.milliseconds(1))
    }

    private func restartIfEnded(_ loss: JournalLoss? = nil) throws {
        var attempts = 0
        // Also if a journal could not be opened afterwards.
        var hasLostPower = false
        while process.hasEnded {
            attempts += 1
            crashes += 1
            trace?("the process ended")
            for client in clients { client.serverEnded() }
            startTime += elapsed + Int64(pick(3000)) * 1_000_000
            elapsed = 0
            for client in clients { client.noteTime() }
            let kind = loss ?? (pick(2) == 0 ? .process : .power)
            if kind == .power { hasLostPower = true }
            let journal: SimulatedJournal
            do {
                journal = try process.journal.reopened(after: kind)
            } catch  where attempts < 10 {
                continue
            }
            if hasLostPower {
                hasLostPower = false
                // A system takes longer to start than the note of the time that was reached may be old.
                startTime += ClockAnchor.interval * 1_000_000
                for client in clients { client.noteTime() }
                // Nothing but the wall clock can tell how long the power was lost, so it is right about that: its last step was noticed.
                // The uptime is the true time here.
                if let anchor = try? ClockAnchor(storedIn: journal) {
                    setWallClock(to: anchor.offset + anchor.wallLead * 1_000_000)
                }
                losePower()
            }
            process.journal.beforeFlush = nil
            process = try start(journal)
            watchFlushes()
        }
    }

    private func losePower() {
        powerLosses += 1
        guard durability < .disk else { return }
        trace?("the power failed")
        checker.lostPower()
        for client in clients { client.powerFailed() }
    }

    private func start(_ journal: SimulatedJournal) throws -> SimulatedProcess {
        try SimulatedProcess(
            journal, loops: loopCount, at: startTime, wallLead: wallLead, configuration, durability: durability,
            boot: noticesPowerLoss ? powerLosses : 0)
    }
}

// The exchange of the process.
extension SimulationRun {
    /// Passes the sessions to another process, while clients go on and flushes are slow. Sometimes the other process fails, and this one
    /// takes them back.
    private func exchange() throws {
        guard !process.hasEnded else { return }
        trace?("the process releases its sessions")
        process.release()
        for _ in 0..<pick(30) where !process.hasEnded { step(isFlushing: false) }
        process.settle()
        guard process.isReleased, !process.hasEnded else { return }
        for _ in 0..<pick(20) { step(isFlushing: false) }
        let time = (start: startTime, elapsed: elapsed)
        (startTime, elapsed) = (startTime + elapsed, 0)
        if let successor = try startSuccessor() {
            exchanges.completed += 1
            return replace(by: successor)
        }
        (startTime, elapsed) = time
        exchanges.undone += 1
        trace?("the process takes its sessions back")
        process.resume(with: try reopened(process.journal))
        watchFlushes()
    }

    /// Returns a process that has opened the journal; nil if none exists, or it ended before.
    private func startSuccessor() throws -> SimulatedProcess? {
        guard pick(4) > 0 else { return nil }
        let successor = try start(try reopened(process.journal))
        successor.open()
        guard successor.hasEnded else { return successor }
        process.replaceReleased(successor.journal)
        return nil
    }

    /// Returns the journal that another process finds, after as many attempts as it takes.
    private func reopened(_ journal: SimulatedJournal) throws -> SimulatedJournal {
        for _ in 0..<10 {
            if let opened = try? journal.reopened(after: .process) { return opened }
        }
        return try journal.reopened(after: .process)
    }

    private func replace(by successor: SimulatedProcess) {
        trace?("another process continues")
        process.leave()
        process.settle()
        for client in clients { client.processLeft() }
        process = successor
        watchFlushes()
    }
}
