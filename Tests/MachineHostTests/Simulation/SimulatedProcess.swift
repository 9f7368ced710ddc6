import HTTPModel
import JournalTesting
import Locking
import MachineHost
import MachineTesting

/// A process of a simulation: a host with several loops and a journal that may end the process.
final class SimulatedProcess {
    let loops: [VirtualEventLoop]
    let shards: [SessionShard]
    let executor: ManualExecutor
    let journal: SimulatedJournal
    private let writer: JournalWriter
    private let error = Lock<(any Error)?>(nil)

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - journal: What the process before has left.
    ///   - count: The number of loops.
    ///   - wallTime: The wall time in nanoseconds since 1970.
    init(_ journal: SimulatedJournal, loops count: Int, at wallTime: Int64, _ configuration: HostConfiguration) throws {
        let loops = (0..<count).map { VirtualEventLoop(index: $0, count: count) }
        self.loops = loops
        self.journal = journal
        executor = ManualExecutor(loops[0])
        let start = loops[0].now.nanoseconds
        let clock = { @Sendable in
            let time = wallTime + Int64(loops[0].currentTime.nanoseconds - start)
            return WallTime(seconds: time / 1_000_000_000, nanoseconds: Int32(time % 1_000_000_000))
        }
        writer = JournalWriter(executor: executor, wallClock: clock) { [error] found in
            error.withLock { $0 = found }
        }
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
    var hasEnded: Bool { journal.hasCrashed || error.withLock { $0 != nil } }

    /// Lets time pass without running anything.
    func pass(_ duration: Duration) {
        for loop in loops { loop.stall(for: duration) }
    }

    /// Runs everything that is ready.
    func settle() {
        var isBusy = true
        while isBusy, !hasEnded {
            isBusy = executor.runNext()
            for loop in loops where loop.runRound() { isBusy = true }
        }
    }
}
