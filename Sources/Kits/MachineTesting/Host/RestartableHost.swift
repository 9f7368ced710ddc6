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
    private let access: HostAccess
    private let storage = VirtualStorage()
    private var journal: VirtualJournal
    /// The processes that have ended. Released, they would cancel what they have started.
    private var former: [HostHarness] = []
    private var beginning = WallTime(seconds: 1_767_225_600)
    /// By how much the wall clock was set.
    private let wallLead = Lock(Duration.zero)
    /// The time of the loop when the process started.
    private var start: MonotonicTime

    /// Creates the first process. Its wall clock starts at 2026-01-01T00:00:00Z.
    public convenience init(
        _ machines: [MachineDefinition], configuration: HostConfiguration = HostConfiguration()
    ) throws(MachineRegistrationError) {
        try self.init(machines, configuration: configuration, access: HostAccess())
    }

    /// Creates the first process with access control, which the following ones have, too.
    package init(
        _ machines: [MachineDefinition], configuration: HostConfiguration = HostConfiguration(), access: HostAccess
    ) throws(MachineRegistrationError) {
        self.machines = machines
        self.configuration = configuration
        self.access = access
        (harness, journal) = try RestartableHost.start(
            machines, configuration, access, at: beginning, wallLead, VirtualEventLoop(), storage)
        start = harness.loop.now
    }

    /// Kills the process: what is not stored is lost, and what it has started goes on without it. Then starts the next
    /// one.
    ///
    /// - Parameter seconds: The time for which no process runs.
    public func restart(after seconds: Int64 = 0) throws(MachineRegistrationError) {
        beginning = beginning + (harness.loop.now - start) + .seconds(seconds)
        journal.close()
        former.append(harness)
        // The clock of the system does not begin again with a process.
        let loop = VirtualEventLoop(startingAt: harness.loop.now + .seconds(seconds))
        (harness, journal) = try RestartableHost.start(
            machines, configuration, access, at: beginning, wallLead, loop, storage)
        start = harness.loop.now
    }

    /// Sets the wall clock of the system.
    ///
    /// - Parameter lead: By how much it is then ahead of the clock that nobody has set.
    package func setWallClock(ahead lead: Duration) { wallLead.withLock { $0 = lead } }

    /// Sends a request to the running process, as ``HostHarness/send(_:_:body:fields:from:)`` does.
    public func send(
        _ method: HTTPMethod, _ target: String, body: String? = nil, fields: HTTPFields = HTTPFields()
    ) -> HarnessAnswer {
        harness.send(method, target, body: body, fields: fields)
    }

    /// Returns the journal as another process would open it.
    func openStorage() -> VirtualJournal { storage.open() }

    private static func start(
        _ machines: [MachineDefinition], _ configuration: HostConfiguration, _ access: HostAccess,
        at beginning: WallTime, _ wallLead: Lock<Duration>, _ loop: VirtualEventLoop, _ storage: VirtualStorage
    ) throws(MachineRegistrationError) -> (HostHarness, VirtualJournal) {
        let start = loop.now
        let wallClock = { @Sendable in beginning + (loop.now - start) + wallLead.withLock { $0 } }
        let writer = JournalWriter(
            executor: VirtualExecutor(loop: loop), wallClock: wallClock, uptime: { loop.now }
        ) { error in preconditionFailure("the journal in memory failed: \(error)") }
        let harness = try HostHarness(
            machines, configuration: configuration, loop: loop, journal: writer, access: access, wallClock: wallClock)
        let journal = UnsafeTransfer(storage.open())
        writer.open {
            journal.value
        } opened: { _ in
        }
        loop.run()
        return (harness, journal.value)
    }
}
