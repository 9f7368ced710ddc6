import CRuntime
import HTTPModel
import Locking
import MachineTesting
import StateCapture
import Telemetry

@testable import MachineHost

/// The state of a scripted machine.
final class ScriptedState: StatefulPart {
    static var partName: StaticString { "scripted" }

    private let machine: ScriptedMachine

    /// Captures the outputs of a machine that is being wired.
    static func capture(_ machine: ScriptedMachine) {
        let state = ScriptedState(machine)
        StateRegistry.current?.register(state)
        // A registry releases parts that nothing else holds.
        machine.whenEnded = { withExtendedLifetime(state) {} }
    }

    init(_ machine: ScriptedMachine) {
        self.machine = machine
    }

    var partState: [String: String]? { machine.values }

    func restore(_ state: [String: String]?) {
        for (name, json) in state ?? [:] { machine.set(name, to: json) }
    }
}

/// A host whose counters are stored. The test decides when the journal stores what they changed.
final class StoredHost {
    let harness: HostHarness
    let disk: TestDisk
    let writer: JournalWriter
    private let executor: ManualExecutor

    /// Creates a process.
    ///
    /// - Parameters:
    ///   - disk: What an earlier process stored.
    ///   - seconds: The time since the first process began.
    ///   - definition: The machine; nil for the counter.
    ///   - opens: Whether the journal is open from the beginning.
    ///   - reserve: The free bytes below which inputs are refused.
    ///   - version: The version of the machine's state.
    ///   - migrations: The migrations from older versions.
    ///   - shape: The shape of the machine's state.
    ///   - durability: What sessions survive.
    ///   - boot: The run of the system.
    ///   - hibernates: Whether unused sessions sleep.
    ///   - build: The build of the process.
    ///   - access: Who may use the sessions.
    ///   - spans: Takes the spans of requests that have one.
    ///   - configure: Changes the configuration.
    init(
        on disk: TestDisk = TestDisk(), after seconds: Int64 = 0, of definition: MachineDefinition? = nil,
        opens: Bool = true, reserve: Int64 = 0, version: Int = 1, migrations: [Int: StateMigration] = [:],
        shape: [String: String] = [:], durability: Durability = .disk, boot: String? = "first",
        hibernates: Bool = false, build: String = "", access: HostAccess = HostAccess(),
        spans: (any SpanReceiver)? = nil, _ configure: (inout HostConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = HostConfiguration()
        configuration.build = build
        configure(&configuration)
        self.disk = disk
        var machine = definition ?? counter { ScriptedState.capture($0) }
        machine.captureObstacles = []
        machine.hibernates = hibernates
        var typist = Typist.definition
        typist.hibernates = hibernates
        machine.stateShape = StateShape(shape)
        let loop = VirtualEventLoop()
        let executor = ManualExecutor(loop)
        self.executor = executor
        let beginning = WallTime(seconds: 1_767_225_600 + seconds)
        let start = loop.now
        let elapsed = { @Sendable in Duration.seconds((loop.now - start).components.seconds) }
        let uptime = StoredHost.uptime(after: seconds, boot: boot)
        writer = JournalWriter(
            durability: durability, executor: executor, reserve: reserve,
            wallClock: { beginning + elapsed() + disk.wallLead.withLock { $0 } }, uptime: { uptime + elapsed() },
            bootID: { boot }
        ) { error in
            disk.failures.withLock { $0.append("\(error)") }
        } onTrap: { report in
            disk.traps.withLock { $0.append(report) }
        } returnMemory: {
            disk.memoryReturns.withLock { $0 += 1 }
        }
        harness = try HostHarness(
            [machine.versioned(version, migrations: migrations), typist], configuration: configuration,
            loop: loop, journal: writer, access: access,
            wallClock: { beginning + (loop.now - start) + disk.wallLead.withLock { $0 } }, spans: spans)
        if opens { open() }
    }

    /// Returns the uptime of the system some time after the first process began.
    static func uptime(after seconds: Int64, boot: String?) -> MonotonicTime {
        MonotonicTime(nanoseconds: boot == "first" ? 2_000_000_000_000_000 : 1_000_000_000_000_000) + .seconds(seconds)
    }

    /// Opens the journal, like a server that has waited for the process before.
    func open(confirm: @escaping @Sendable () -> Void = {}) {
        writer.open(slots: { [disk] in TurnSlots(disk.turnsAfterEnd()) }, confirm: confirm) { [disk] in
            TestJournal(disk)
        } opened: { [disk] error in
            if let error { disk.failures.withLock { $0.append("\(error)") } }
        }
        store()
    }

    /// Releases the journal for another process.
    func suspend() {
        writer.suspend(within: .seconds(1)) {
            try? $0?.close()
        } abandoned: {
        }
        harness.loop.run()
    }

    /// Continues without another process.
    func resume() {
        writer.resume { [disk] in
            TestJournal(disk)
        } resumed: { [disk] error in
            if let error { disk.failures.withLock { $0.append("\(error)") } }
        }
    }

    /// Sends a request and returns its response if it has one already.
    func start(
        _ method: HTTPMethod, _ target: String, body: String? = nil, key: String? = nil,
        fields: HTTPFields = HTTPFields(), from peer: HTTPPeer = .unknown, in trace: TraceContext? = nil
    ) -> PendingAnswer {
        var fields = fields
        if body != nil { fields.append(.contentType, "application/json") }
        if let key, let value = HTTPFieldValue(key) { fields.append(.idempotencyKey, value) }
        let bytes = body.map { Array($0.utf8) } ?? []
        var request = HTTPRequest(method: method, target: target, fields: fields, body: bytes, peer: peer)
        request.trace = trace
        let pending = PendingAnswer()
        TestDisk.$current.withValue(disk) {
            switch harness.respond(to: request) {
            case .response(let response): pending.response = response
            case .deferred(let promise): promise.whenFulfilled { pending.response = $0 }
            }
            harness.loop.run()
        }
        return pending
    }

    /// Lets the journal store everything, and the loop learn of it.
    func store() {
        TestDisk.$current.withValue(disk) {
            harness.loop.run()
            while executor.runPending() { harness.loop.run() }
        }
    }

    /// Lets the journal do what it was asked for until now, and the loop learn of it.
    func step() {
        runJournal()
        harness.loop.run()
    }

    /// Lets the journal do what it was asked for until now.
    func runJournal() { _ = executor.runPending() }

    /// Lets the journal do one thing that it was asked for, and the loop learn of it.
    func stepOnce() {
        _ = executor.runNext()
        harness.loop.run()
    }

    /// Sends a request and stores what it changed.
    func send(
        _ method: HTTPMethod, _ target: String, body: String? = nil, key: String? = nil,
        fields: HTTPFields = HTTPFields(), from peer: HTTPPeer = .unknown, in trace: TraceContext? = nil
    ) -> PendingAnswer {
        let pending = start(method, target, body: body, key: key, fields: fields, from: peer, in: trace)
        store()
        return pending
    }

    /// Lets time pass, with everything that happens meanwhile stored.
    func advance(by seconds: Int) {
        for _ in 0..<seconds {
            harness.loop.advance(by: .seconds(1))
            store()
        }
    }

    /// The size of the largest stored snapshot.
    var largestSnapshot: Int { disk.entries.compactMap { $0.snapshot?.content.count }.max() ?? 0 }

    func makeSession(of machine: String = "scripted") -> String {
        let answer = send(.post, "/v1/sessions", body: "{\"machine\":\"\(machine)\"}")
        return answer.response?.fields.value(.location) ?? ""
    }
}

/// A response that may not have arrived.
final class PendingAnswer {
    var response: HTTPResponse?

    var status: Int? { (response?.status.code).map { Int($0) } }
    var text: String { String(decoding: response?.body.bytes ?? [], as: UTF8.self) }
}

/// What survives a process in a test.
final class TestDisk: Sendable {
    let content = Lock(JournalContent())
    let failures = Lock<[String]>([])
    let traps = Lock<[TrapReport]>([])
    /// How often unused memory was returned to the system.
    let memoryReturns = Lock(0)
    /// How often the journal was tidied. Every third call has nothing left to do.
    let tidyings = Lock(0)
    /// How often a batch was stored.
    let commits = Lock(0)
    /// How often the content of a session was read.
    let loads = Lock(0)
    /// By how much the wall clock of the system was set.
    let wallLead = Lock(Duration.zero)
    /// The sessions that cannot be read, because their bytes have changed.
    let damaged = Lock<Set<StoredSessionID>>([])
    /// Whether the files of the journal were removed.
    let isRemoved = Lock(false)
    /// The free bytes of the disk.
    let free = Lock(Int64.max)
    /// Memory that outlives a process, like the pages of a mapped file. Never released.
    let turns = UnsafeTransfer(
        UnsafeMutableRawBufferPointer.allocate(byteCount: TurnSlots.stride, alignment: TurnSlots.stride))

    /// What the memory contained when the process ended in the middle of a turn; empty if it did not.
    private let trapped = Lock<[UInt8]>([])

    /// The disk of the host that handles a request.
    @TaskLocal static var current: TestDisk?

    init() { turns.value.initializeMemory(as: UInt8.self, repeating: 0) }

    /// Does what a trap does, without ending the process of the test: its signal handler runs, and nothing that follows changes
    /// the memory.
    func trap() {
        granary_flag_current_turn()
        trapped.withLock { $0 = Array(turns.value) }
    }

    /// The stored sessions.
    var entries: [JournalEntry] {
        content.withLock { content in
            content.sessions(after: nil, limit: .max).compactMap { content.load($0.id) }
        }
    }

    /// The number of rows that no snapshot contains.
    var rows: Int { entries.lazy.map(\.rows.count).reduce(0, +) }

    /// Returns the memory for the next process.
    func turnsAfterEnd() -> UnsafeMutableRawBufferPointer {
        trapped.withLock { bytes in
            if !bytes.isEmpty { turns.value.copyBytes(from: bytes) }
            bytes = []
        }
        return turns.value
    }
}

/// A journal in a ``TestDisk``.
final class TestJournal: MaintainedJournal, FileJournal {
    private let disk: TestDisk

    init(_ disk: TestDisk) {
        self.disk = disk
        disk.content.withLock { $0.recover() }
    }

    var guarantee: Durability { .disk }

    func commit(_ batch: JournalBatch, isFlushed: Bool) {
        disk.commits.withLock { $0 += 1 }
        disk.content.withLock { $0.apply(batch) }
    }
    func load(_ session: StoredSessionID) throws -> JournalEntry? {
        disk.loads.withLock { $0 += 1 }
        if disk.damaged.withLock({ $0.contains(session) }) {
            throw JournalError(.damaged, "expected the checksum, got other bytes")
        }
        return disk.content.withLock { $0.load(session) }
    }
    func summary(of session: StoredSessionID) -> SessionSummary? { disk.content.withLock { $0.summary(of: session) } }
    func lastNumber() -> UInt64 { disk.content.withLock { $0.lastNumber } }
    func sessions(after id: StoredSessionID?, limit: Int) -> [SessionSummary] {
        disk.content.withLock { $0.sessions(after: id, limit: limit) }
    }
    func session(named name: SessionName, of machine: String) -> StoredSessionID? {
        disk.content.withLock { $0.session(named: name, of: machine) }
    }
    func sessions(dueAt time: Int64, limit: Int) -> [SessionSummary] {
        disk.content.withLock { $0.sessions(dueAt: time, limit: limit) }
    }
    func nextDueTime() -> Int64? { disk.content.withLock { $0.nextDueTime() } }
    func trim() -> StoredSessionID? { nil }
    func tidy() -> Bool {
        disk.tidyings.withLock { tidyings in
            tidyings += 1
            return tidyings % 3 != 0
        }
    }
    func maintain() {}
    func verify() throws {
        guard disk.isRemoved.withLock({ $0 }) else { return }
        throw JournalError(.inputOutput, "expected the files of the journal, got none")
    }
    func note(_ key: JournalNoteKey) -> JournalNote? { disk.content.withLock { $0.note(key) } }
    func freeBytes() -> Int64 { disk.free.withLock { $0 } }
    func property(_ name: String) -> [UInt8]? { disk.content.withLock { $0.property(name) } }
    func statistics() -> JournalStatistics { JournalStatistics() }
    func close() {}
}

extension StoredHost {
    /// Opens a stream without storing anything else than what loading the session needs.
    func stream(_ session: String, query: String = "", after id: String? = nil) -> StreamFollower? {
        openStream(session, query: query, after: id).map { StreamFollower($0) }
    }

    /// Requests a stream without reading it.
    func openStream(_ session: String, query: String = "", after id: String? = nil) -> (any HTTPBodyStream)? {
        var fields: HTTPFields = [.accept: "text/event-stream"]
        if let id, let value = HTTPFieldValue(id) { fields.append(.lastEventID, value) }
        let target = session + "/outputs" + query
        let request = HTTPRequest(method: .get, target: target, fields: fields, body: [], peer: .unknown)
        var stream: (any HTTPBodyStream)?
        func take(_ response: HTTPResponse) { if case .stream(let body) = response.body { stream = body } }
        switch harness.respond(to: request) {
        case .response(let response): take(response)
        case .deferred(let promise):
            promise.whenFulfilled(take)
            store()
        }
        return stream
    }
}
