import HTTPModel
import JournalTesting
import Locking
import MachineTesting

@testable import MachineHost

/// A process of a simulation: a host with several loops and a journal that may end the process.
final class SimulatedProcess {
    let loops: [VirtualEventLoop]
    let shards: [SessionShard]
    let executor: ManualExecutor
    private(set) var journal: SimulatedJournal
    private let writer: JournalWriter
    private let error = Lock<(any Error)?>(nil)
    /// Whether the journal was closed for another process.
    private let released = Lock(false)

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - journal: What the process before has left.
    ///   - count: The number of loops.
    ///   - startTime: The time in nanoseconds since 1970.
    ///   - wallLead: By how much the wall clock was set, in nanoseconds.
    ///   - configuration: The limits of the host.
    ///   - durability: What sessions survive.
    ///   - boot: The run of the system.
    init(
        _ journal: SimulatedJournal, loops count: Int, at startTime: Int64, wallLead: Lock<Int64>,
        _ configuration: HostConfiguration, durability: Durability, boot: Int
    ) throws {
        let loops = (0..<count).map { VirtualEventLoop(index: $0, count: count) }
        self.loops = loops
        self.journal = journal
        executor = ManualExecutor(loops[0])
        let start = loops[0].now.nanoseconds
        let now = { @Sendable in startTime + Int64(loops[0].currentTime.nanoseconds - start) }
        let clock = { @Sendable in
            let time = now() + wallLead.withLock { $0 }
            return WallTime(seconds: time / 1_000_000_000, nanoseconds: Int32(time % 1_000_000_000))
        }
        writer = JournalWriter(
            durability: durability, executor: executor, wallClock: clock,
            uptime: { MonotonicTime(nanoseconds: UInt64(now())) }, bootID: { "boot \(boot)" }
        ) { [error] found in error.withLock { $0 = found } }
        let host = try SessionHost(
            [LedgerMachine.definition()], configuration: configuration, wallClock: clock, journal: writer)
        shards = loops.map { host.makeShard(on: $0) }
        let opened = UnsafeTransfer(journal)
        writer.open {
            opened.value
        } opened: { [error] found in
            if let found { error.withLock { $0 = found } }
        }
    }

    /// Whether the process has ended: its journal failed or crashed.
    var hasEnded: Bool { !isReleased && journal.hasCrashed || error.withLock { $0 != nil } }

    /// Whether the process has released its journal for another one.
    var isReleased: Bool { released.withLock { $0 } }

    /// Stops turns, and closes the journal when everything is stored.
    func release() {
        writer.suspend(within: .seconds(60)) { [released] journal in
            do {
                try journal?.close()
                released.withLock { $0 = journal != nil }
            } catch {
                // The process has ended meanwhile.
            }
        } abandoned: {
        }
    }

    /// Opens the journal of a new process, and nothing else.
    func open() {
        _ = executor.runNext()
    }

    /// Continues with the journal, because no other process does.
    func resume(with journal: SimulatedJournal) {
        self.journal = journal
        released.withLock { $0 = false }
        let opened = UnsafeTransfer(journal)
        writer.resume {
            opened.value
        } resumed: { [error] found in
            if let found { error.withLock { $0 = found } }
        }
    }

    /// Notes what a process that has failed to continue the sessions has left of the journal.
    func replaceReleased(_ journal: SimulatedJournal) {
        self.journal = journal
    }

    /// Leaves the sessions to another process.
    func leave() {
        writer.leave()
        for shard in shards { shard.drain() }
    }

    /// Has the loops continue on the calling thread.
    func adopt() {
        for loop in loops { loop.adopt() }
    }

    /// Lets time pass without running anything.
    func pass(_ duration: Duration) {
        for loop in loops { loop.stall(for: duration) }
    }

    /// Whether the process has opened the journal.
    var hasOpened: Bool { writer.phase != .opening }

    /// Runs everything that is ready.
    func settle() {
        var isBusy = true
        while isBusy, !hasEnded {
            isBusy = executor.runNext()
            for loop in loops where loop.runRound() { isBusy = true }
        }
    }
}
