import HTTPModel
import Locking
import MachineHost
import MachineTesting
import StateCapture

/// The state of a scripted machine.
private final class ScriptedState: StatefulPart {
    static var partName: StaticString { "scripted" }

    private let machine: ScriptedMachine

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
    private let executor: TestExecutor

    /// Creates a process.
    ///
    /// - Parameters:
    ///   - disk: What an earlier process stored.
    ///   - seconds: The time since the first process began.
    ///   - opens: Whether the journal is open from the beginning.
    ///   - configure: Changes the configuration.
    init(
        on disk: TestDisk = TestDisk(), after seconds: Int64 = 0, opens: Bool = true,
        _ configure: (inout HostConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = HostConfiguration()
        configure(&configuration)
        self.disk = disk
        var machine = counter { machine in
            let state = ScriptedState(machine)
            StateRegistry.current?.register(state)
            // A registry releases parts that nothing else holds.
            machine.whenEnded = { withExtendedLifetime(state) {} }
        }
        machine.captureObstacles = []
        let loop = VirtualEventLoop()
        let executor = TestExecutor(loop)
        self.executor = executor
        let beginning = WallTime(seconds: 1_767_225_600 + seconds)
        let start = loop.now
        writer = JournalWriter(
            executor: executor,
            wallClock: { WallTime(seconds: beginning.seconds + (loop.now - start).components.seconds) }
        ) { error in
            disk.failures.withLock { $0.append("\(error)") }
        }
        harness = try HostHarness(
            [machine], configuration: configuration, loop: loop, beginning: beginning, journal: writer)
        if opens { open() }
    }

    /// Opens the journal, like a server that has waited for the process before.
    func open() {
        writer.open { [disk] in
            TestJournal(disk)
        } opened: { [disk] error in
            if let error { disk.failures.withLock { $0.append("\(error)") } }
        }
        store()
    }

    /// Sends a request and returns its response if it has one already.
    func start(_ method: HTTPMethod, _ target: String, body: String? = nil, key: String? = nil) -> PendingAnswer {
        var fields: HTTPFields = body == nil ? [:] : [.contentType: "application/json"]
        if let key, let value = HTTPFieldValue(key) { fields.append(.idempotencyKey, value) }
        let bytes = body.map { Array($0.utf8) } ?? []
        let request = HTTPRequest(method: method, target: target, fields: fields, body: bytes, peer: .unknown)
        let pending = PendingAnswer()
        switch harness.shard.respond(to: request) {
        case .response(let response): pending.response = response
        case .deferred(let promise): promise.whenFulfilled { pending.response = $0 }
        }
        harness.loop.run()
        return pending
    }

    /// Lets the journal store everything, and the loop learn of it.
    func store() {
        while executor.run() { harness.loop.run() }
    }

    /// Lets the journal do what it was asked for until now, and the loop learn of it.
    func step() {
        _ = executor.run()
        harness.loop.run()
    }

    /// Sends a request and stores what it changed.
    func send(_ method: HTTPMethod, _ target: String, body: String? = nil, key: String? = nil) -> PendingAnswer {
        let pending = start(method, target, body: body, key: key)
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
    var largestSnapshot: Int {
        disk.content.withLock { $0.snapshots.values.map(\.content.count).max() ?? 0 }
    }

    func makeSession() -> String {
        let answer = send(.post, "/v1/sessions", body: "{\"machine\":\"scripted\"}")
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
    struct Content {
        var snapshots: [StoredSessionID: SessionSnapshot] = [:]
        var rows: [StoredSessionID: [(number: UInt64, content: [UInt8])]] = [:]
        var lastRow: UInt64 = 0
        var properties: [String: [UInt8]] = [:]
    }

    let content = Lock(Content())
    let failures = Lock<[String]>([])
}

/// The writer's thread, which runs when the test says so.
private final class TestExecutor: JournalExecutor {
    private let loop: VirtualEventLoop
    private let work = Lock<[@Sendable () -> Void]>([])

    init(_ loop: VirtualEventLoop) {
        self.loop = loop
    }

    func execute(_ work: @escaping @Sendable () -> Void) {
        self.work.withLock { $0.append(work) }
    }

    func execute(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        _ = loop.schedule(after: delay) { [self] in execute(work) }
    }

    /// Runs what the writer's thread would. Returns whether there was anything.
    func run() -> Bool {
        let taken = work.withLock { work in
            defer { work = [] }
            return work
        }
        for work in taken { work() }
        return !taken.isEmpty
    }
}

/// A journal in a ``TestDisk``.
private final class TestJournal: Journal {
    private let disk: TestDisk

    init(_ disk: TestDisk) {
        self.disk = disk
    }

    var guarantee: Durability { .disk }

    func lastNumber() -> UInt64 { disk.content.withLock { $0.lastRow } }

    func commit(_ batch: JournalBatch, isFlushed: Bool) {
        disk.content.withLock { content in
            for change in batch.changes {
                switch change {
                case .append(let row):
                    content.rows[row.session, default: []].append((row.number, Array(batch.bytes[row.content])))
                    content.lastRow = max(content.lastRow, row.number)
                case .store(let snapshot):
                    content.snapshots[snapshot.summary.id] = snapshot
                    content.rows[snapshot.summary.id]?.removeAll { $0.number <= snapshot.covers }
                case .remove(let id):
                    content.snapshots[id] = nil
                    content.rows[id] = nil
                case .set(let property, let value): content.properties[property] = value
                }
            }
        }
    }

    func load(_ session: StoredSessionID) -> JournalEntry? {
        disk.content.withLock { content in
            content.snapshots[session].map { JournalEntry(snapshot: $0, rows: content.rows[session] ?? []) }
        }
    }

    func sessions(after id: StoredSessionID?, limit: Int) -> [SessionSummary] { [] }

    func sessions(dueAt time: Int64, limit: Int) -> [SessionSummary] {
        let all = disk.content.withLock { Array($0.snapshots.values.map(\.summary)) }
        return Array(all.filter { Self.due($0).map { $0 <= time } ?? false }.prefix(limit))
    }

    func nextDueTime() -> Int64? {
        disk.content.withLock { $0.snapshots.values.compactMap { Self.due($0.summary) }.min() }
    }

    private static func due(_ summary: SessionSummary) -> Int64? {
        [summary.wakesAt, summary.expiresAt].compactMap(\.self).min()
    }

    func trim() -> StoredSessionID? { nil }
    func property(_ name: String) -> [UInt8]? { disk.content.withLock { $0.properties[name] } }
    func statistics() -> JournalStatistics { JournalStatistics() }
    func backUp(to path: String) {}
    func close() {}
}

extension StoredHost {
    /// Opens a stream without storing anything else than what loading the session needs.
    func stream(_ session: String, after id: String? = nil) -> StreamFollower? {
        var fields: HTTPFields = [.accept: "text/event-stream"]
        if let id, let value = HTTPFieldValue(id) { fields.append(.lastEventID, value) }
        let request = HTTPRequest(method: .get, target: session + "/outputs", fields: fields, body: [], peer: .unknown)
        var stream: (any HTTPBodyStream)?
        func take(_ response: HTTPResponse) { if case .stream(let body) = response.body { stream = body } }
        switch harness.shard.respond(to: request) {
        case .response(let response): take(response)
        case .deferred(let promise):
            promise.whenFulfilled(take)
            store()
        }
        return stream.map { StreamFollower($0) }
    }
}
