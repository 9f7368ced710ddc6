public import HTTPModel
import Locking
public import MachineHost

/// A host whose sessions are stored in memory, and whose process can be killed and followed by another one. The journal is
/// written when the loop runs.
public final class RestartableHost {
    /// The running process.
    public private(set) var harness: HostHarness
    private let machines: [MachineDefinition]
    private let configuration: HostConfiguration
    private let journal = KeptJournal()
    private var beginning = WallTime(seconds: 1_767_225_600)
    /// The time of the loop when the process started.
    private var start: MonotonicTime

    /// Creates the first process. Its wall clock starts at 2026-01-01T00:00:00Z.
    public init(
        _ machines: [MachineDefinition], configuration: HostConfiguration = HostConfiguration()
    ) throws(MachineRegistrationError) {
        self.machines = machines
        self.configuration = configuration
        harness = try RestartableHost.start(machines, configuration, at: beginning, journal)
        start = harness.loop.now
    }

    /// Kills the process: what is not stored is lost, and what it has started goes on without it. Then starts the next
    /// one.
    ///
    /// - Parameter seconds: The time for which no process runs.
    public func restart(after seconds: Int64 = 0) throws(MachineRegistrationError) {
        beginning.seconds += (harness.loop.now - start).components.seconds + seconds
        harness = try RestartableHost.start(machines, configuration, at: beginning, journal)
        start = harness.loop.now
    }

    /// Sends a request to the running process, as ``HostHarness/send(_:_:body:fields:from:)`` does.
    public func send(_ method: HTTPMethod, _ target: String, body: String? = nil) -> HarnessAnswer {
        harness.send(method, target, body: body)
    }

    private static func start(
        _ machines: [MachineDefinition], _ configuration: HostConfiguration, at beginning: WallTime,
        _ journal: KeptJournal
    ) throws(MachineRegistrationError) -> HostHarness {
        let loop = VirtualEventLoop()
        let start = loop.now
        let writer = JournalWriter(
            executor: LoopExecutor(loop: loop),
            wallClock: { WallTime(seconds: beginning.seconds + (loop.now - start).components.seconds) }
        ) { error in preconditionFailure("the journal in memory failed: \(error)") }
        let harness = try HostHarness(
            machines, configuration: configuration, loop: loop, beginning: beginning, journal: writer)
        let kept = UnsafeTransfer(journal)
        writer.open {
            kept.value
        } opened: { _ in
        }
        loop.run()
        return harness
    }
}

/// The loop as the writer's thread.
private struct LoopExecutor: JournalExecutor {
    let loop: VirtualEventLoop

    func execute(_ work: @escaping @Sendable () -> Void) {
        loop.execute(work)
    }

    func execute(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        _ = loop.schedule(after: delay, work)
    }
}

/// A journal in memory that outlives the processes of a test.
private final class KeptJournal: Journal {
    private let content = MemoryJournal()

    let guarantee = Durability.disk

    func commit(_ batch: JournalBatch, isFlushed: Bool) throws { try content.commit(batch, isFlushed: isFlushed) }
    func load(_ session: StoredSessionID) throws -> JournalEntry? { try content.load(session) }
    func lastNumber() throws -> UInt64 { try content.lastNumber() }
    func sessions(after id: StoredSessionID?, limit: Int) throws -> [SessionSummary] {
        try content.sessions(after: id, limit: limit)
    }
    func sessions(dueAt time: Int64, limit: Int) throws -> [SessionSummary] {
        try content.sessions(dueAt: time, limit: limit)
    }
    func nextDueTime() throws -> Int64? { try content.nextDueTime() }
    func trim() throws -> StoredSessionID? { try content.trim() }
    func property(_ name: String) throws -> [UInt8]? { try content.property(name) }
    func statistics() throws -> JournalStatistics { try content.statistics() }
    func backUp(to path: String) throws { try content.backUp(to: path) }
    func close() {}
}
