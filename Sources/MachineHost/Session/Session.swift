import CombineCore
import HTTPModel
import Log

/// One live machine with its history and its streams. Confined to its loop.
final class Session {
    let id: SessionID
    let machineKind: RegisteredMachine
    /// Whose session it is, if its clients are limited.
    let client: ClientTable.Client?
    let context: SessionContext
    let epoch: Epoch
    let created: WallTime
    /// Not there any more once the session ``isAbandoned``.
    unowned let shard: SessionShard
    private let host: SessionHost
    /// What the last turn made of it: its history's newest version is the session's.
    @exclusivity(unchecked) var history = History()
    @exclusivity(unchecked) var state: State
    /// The streams that are open, in no order.
    @exclusivity(unchecked) var streams: [SessionStream] = []
    /// Streams that are open or about to be.
    @exclusivity(unchecked) var streamCount = 0
    /// Keyed requests, once there was one.
    @exclusivity(unchecked) var idempotency: IdempotencyWindow?
    /// What it has of large values, once there was one.
    @exclusivity(unchecked) var large: LargeValues?
    /// The bytes that it retained when they were last measured.
    @exclusivity(unchecked) var retainedBytes = 0
    /// The bytes of them that the host has been charged for; those of large values count for themselves.
    @exclusivity(unchecked) private var chargedBytes = 0
    /// When somebody last asked for something.
    @exclusivity(unchecked) var lastActivity: Tick
    /// When the shard will look whether something is due.
    @exclusivity(unchecked) var lookedAt: Tick = 0
    /// Whether the shard has gone without ending its sessions, as at a hard stop of the server: streams that somebody still
    /// holds say nothing more.
    @exclusivity(unchecked) private(set) var isAbandoned = false
    private let main: MainSubstituteBox

    enum State {
        /// The machine's factory has not returned.
        case starting
        /// Inputs are taken.
        case live(any HostedMachine, OutputBoard)
        /// The machine is gone.
        case ended(EndReason)
    }

    init(id: SessionID, machine: RegisteredMachine, client: ClientTable.Client?, shard: SessionShard) {
        self.id = id
        self.client = client
        machineKind = machine
        self.shard = shard
        host = shard.host
        context = SessionContext(loop: shard.loop, log: shard.host.log)
        context.maxOutputBytes = shard.host.configuration.maxOutputBytes
        epoch = .random()
        created = shard.host.wallClock()
        lastActivity = shard.tick
        main = MainSubstituteBox(MainStandIn(context.scheduler))
        state = .starting
        context.scheduler.session = self
    }

    deinit {
        host.release(chargedBytes)
    }

    var version: UInt64 { history.newest }

    var position: StreamPosition { StreamPosition(epoch: epoch, version: version) }

    var board: OutputBoard? {
        if case .live(_, let board) = state { board } else { nil }
    }

    var endReason: EndReason? {
        if case .ended(let reason) = state { reason } else { nil }
    }

    /// Makes the machine, and reads what it shows at version 0. What its factory sends as events nobody could have seen:
    /// it is dropped.
    func start() throws {
        shard.currentTurn = CurrentTurn(depth: 0)
        defer { shard.currentTurn = nil }
        let machine = try asMain { try machineKind.definition.make(context) }
        let board = machine.outputs
        precondition(
            board.cells.count == machineKind.outputKeys.count,
            "machine \"\(machineKind.definition.name)\" declares \(machineKind.outputKeys.count) outputs and has "
                + "\(board.cells.count) cells")
        state = .live(machine, board)
        do {
            try board.readAll(for: self)
            board.isInTurn = false
            noteRetainedBytes()
        } catch {
            stop(.failed(incident: ""))
            throw error
        }
    }

    /// Runs the work with the session in the place of the main queue.
    func asMain<Result>(_ work: () throws -> Result) rethrows -> Result {
        try MainContext.with(main, work)
    }

    /// The shard goes.
    func abandon() {
        stop(.draining)
        isAbandoned = true
        host.releaseSession(of: client, now: context.loop.now)
    }

    /// Has the host count that many bytes for this session, roughly.
    func charge(_ bytes: Int) {
        guard let charge = RetentionStep.charge(for: bytes, now: chargedBytes) else { return }
        host.retain(charge - chargedBytes)
        chargedBytes = charge
    }

    /// A stream that was counted is gone.
    func streamIsOver() {
        streamCount -= 1
        host.releaseStream()
    }

    /// Ends the session: the machine is told and let go, its blocks are dropped, streams get their last event.
    func stop(_ reason: EndReason) {
        guard endReason == nil else { return }
        if case .live(let machine, let board) = state {
            board.isClosed = true
            state = .ended(reason)
            asMain { machine.end() }
        } else {
            state = .ended(reason)
        }
        context.scheduler.close()
        idempotency = nil
        large?.shown = [:]
        if streams.isEmpty { history.removeAll() }
        noteRetainedBytes()
        for stream in streams { stream.end(reason) }
    }
}

/// Why a session or a stream ended.
enum EndReason: Equatable {
    case deleted
    case expired
    case draining
    case rotated
    case failed(incident: String)

    /// Whether the session is there for clients that come back.
    var isForStreamOnly: Bool { self == .draining || self == .rotated }

    func appendData(to bytes: inout [UInt8]) {
        switch self {
        case .deleted: bytes.append("{\"reason\":\"deleted\"}")
        case .expired: bytes.append("{\"reason\":\"expired\"}")
        case .draining: bytes.append("{\"reason\":\"draining\"}")
        case .rotated: bytes.append("{\"reason\":\"rotated\"}")
        case .failed(let incident):
            bytes.append("{\"reason\":\"failed\",\"incident\":")
            JSONText.append(incident, to: &bytes)
            bytes.append("}")
        }
    }
}
