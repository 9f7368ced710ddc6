import Access
import CombineCore
import HTTPModel
import Log
import StateCapture
import Telemetry

/// A live machine with its history and streams. Confined to its loop.
final class Session {
    // Unchecked exclusivity: the session is confined to its loop, and no access lasts across a call to the machine. The runtime's
    // checks of these properties were 3 % of the instructions of an input.
    /// The id that clients hold. A session that a timer has woken has another one until a client names it.
    @exclusivity(unchecked) var id: SessionID
    let machineKind: RegisteredMachine
    /// The metrics of the loop for the machine.
    let meter: MachineMeter
    /// The client that the session counts for; nil if clients are not limited.
    let client: ClientTable.Client?
    // Small properties follow those that leave a part of a word.
    /// Whether all versions that clients have ever seen are those of this epoch.
    let isInFirstEpoch: Bool
    /// Whether the machine may be released while nobody uses the session.
    let mayHibernate: Bool
    /// Whether the shard was deallocated without ending its sessions, as in an immediate stop of the server. Streams
    /// that a connection still holds then end without further events.
    @exclusivity(unchecked) private(set) var isAbandoned = false
    /// Whether the session has ended and the end is not stored yet. Not asked of the shard, which may no longer exist.
    var isEndPending = false
    let context: SessionContext
    /// Nil if the session belongs to nobody and has no tickets, as most do.
    @exclusivity(unchecked) private var owned: OwnedSession?
    let epoch: Epoch
    let created: WallTime
    /// The time of the last request.
    @exclusivity(unchecked) var lastActivity: Tick
    /// The stored side of the session; nil if it ends with the process.
    let storage: SessionStorage?
    /// The number of the last change of the loop that the session caused in the journal; 0 without storage.
    @exclusivity(unchecked) var lastSequence: UInt64 = 0
    /// The version up to which streams may send changes: the last stored one, or the newest one without storage.
    @exclusivity(unchecked) var releasedVersion: UInt64 = 0
    /// The shard of the loop. Must not be used once the session ``isAbandoned``.
    unowned let shard: SessionShard
    /// Runs the turns of the loop.
    let turns: TurnRunner
    /// The recent changes. Their newest version is the session's version.
    @exclusivity(unchecked) var history = History()
    @exclusivity(unchecked) var state: State
    /// The streams that are being read, in no particular order.
    @exclusivity(unchecked) var streams: [SessionStream] = []
    /// The number of streams that are open or about to be read.
    @exclusivity(unchecked) var streamCount = 0
    /// The remembered requests; nil until the first one with a key.
    @exclusivity(unchecked) var idempotency: IdempotencyWindow?
    /// The large values; nil until the first one.
    @exclusivity(unchecked) var large: LargeValues?
    /// The retained bytes when they were last measured.
    @exclusivity(unchecked) var retainedBytes = 0
    /// The part of the retained bytes that the host counts for the session, without large values, which their ledger
    /// counts.
    @exclusivity(unchecked) private var chargedBytes = 0
    /// The time at which the shard checks the deadlines.
    @exclusivity(unchecked) var nextCheck: Tick = 0
    /// The time before which the shard does not look again whether the session may sleep.
    @exclusivity(unchecked) var nextSleepCheck: Tick = 0
    private let main: MainSubstituteBox

    enum State {
        /// The machine is being created.
        case starting
        /// The machine accepts inputs.
        case live(any HostedMachine, OutputBoard)
        /// The machine is not in memory, and what clients know is shown. Such a session lives as long as one request.
        case asleep(OutputBoard)
        /// The machine was released.
        case ended(EndReason)
    }

    init(
        id: SessionID, machine: RegisteredMachine, client: ClientTable.Client?, shard: SessionShard,
        storage: SessionStorage? = nil, restoring stored: StoredSession? = nil,
        ownership: SessionOwnership = SessionOwnership(), creation: SessionCreation? = nil
    ) {
        self.id = id
        self.client = client
        machineKind = machine
        meter = shard.meter[machine]
        self.shard = shard
        turns = shard.turns
        context = SessionContext(loop: shard.loop, sharedLog: shard.host.sharedLog)
        context.stateRegistry = storage?.registry
        context.maxOutputBytes = shard.host.configuration.maxOutputBytes
        self.storage = storage
        let ownership = stored?.ownership ?? ownership
        owned = OwnedSession(ownership)
        context.principal = ownership.principal
        context.creation = creation ?? stored.flatMap { SessionCreation($0) }
        mayHibernate = machine.definition.hibernates && storage != nil
        let generation = shard.host.generation
        epoch = stored?.epoch.moved(by: generation) ?? .random()
        isInFirstEpoch = stored.map { $0.firstGeneration == generation.number } ?? true
        created = stored.map { WallTime(seconds: $0.created) } ?? shard.host.wallClock()
        lastActivity = shard.tick
        main = MainSubstituteBox(MainQueueSubstitute(context.scheduler))
        state = .starting
        context.scheduler.session = self
        if let stored, !stored.effects.isEmpty { context.effects.restore(stored.effects) }
    }

    deinit {
        host.release(chargedBytes)
    }

    var host: SessionHost { turns.host }
    var clock: LoopClock { turns.clock }
    var version: UInt64 { history.newest }

    /// The principal to which the session belongs, and what it remembers of its tickets.
    var ownership: SessionOwnership {
        get { owned?.ownership ?? SessionOwnership() }
        set { owned = OwnedSession(newValue) }
    }

    /// Whether there is something to remember in ``ownership``.
    var isOwned: Bool { owned != nil }

    /// The hash of the principal to which the session belongs; nil if everyone who knows its id may use it.
    var owner: PrincipalHash? { owned?.ownership.owner }

    /// The place at which requests find the session by its name; nil if the session has no name.
    var namedPlace: NamedPlace? {
        context.creation?.name.map { NamedPlace(machine: machineKind.definition.name, name: $0) }
    }

    var board: OutputBoard? {
        switch state {
        case .live(_, let board), .asleep(let board): board
        case .starting, .ended: nil
        }
    }

    /// Whether a turn is running, or the machine is being created.
    var isInTurn: Bool {
        switch state {
        case .starting: true
        case .live(_, let board): board.isInTurn
        case .asleep, .ended: false
        }
    }

    /// Whether the machine is not in memory.
    var isAsleep: Bool {
        if case .asleep = state { true } else { false }
    }

    var endReason: EndReason? {
        if case .ended(let reason) = state { reason } else { nil }
    }

    /// Creates the machine and reads its outputs at version 0. Events that the factory emits are dropped: no client
    /// could have received them.
    ///
    /// - Parameters:
    ///   - stored: The session to continue instead, with the version and the outputs that clients know.
    ///   - request: The span of the request that creates the session; nil if it has none.
    func start(restoring stored: StoredSession? = nil, in request: TraceContext? = nil) throws {
        context.loop.assertCurrent()
        assert(board == nil && endReason == nil, "expected a session that was not started")
        try turns.create(self, in: request) { try start(restoring: stored) }
    }

    private func start(restoring stored: StoredSession?) throws {
        if let stored { context.creation = try machineKind.definition.restoreCreation(of: stored) }
        let machine = try asMainQueue { try machineKind.definition.wire(context) }
        let board = machine.outputs
        precondition(
            board.cells.count == machineKind.outputKeys.count,
            "machine \"\(machineKind.definition.name)\" declares \(machineKind.outputKeys.count) outputs and has "
                + "\(board.cells.count) cells")
        state = .live(machine, board)
        meter.sessions.add(1)
        do {
            if let stored {
                try restore(board, from: stored)
            } else {
                try board.readAll(for: self)
            }
            board.isInTurn = false
            noteRetainedBytes()
        } catch {
            stop(.failed(incident: ""))
            throw error
        }
    }

    /// Runs work with the session's scheduler in place of the main queue.
    func asMainQueue<Result>(_ work: () throws -> Result) rethrows -> Result {
        try MainContext.with(main, work)
    }

    /// Ends the session because its shard is being deallocated.
    func abandon() {
        assert(!isAbandoned, "expected to abandon a session once")
        stop(.draining)
        isAbandoned = true
        host.releaseSession(of: client, now: context.loop.now)
    }

    /// Updates the bytes that the host counts for this session, rounded.
    func charge(_ bytes: Int) {
        guard let charge = RetentionStep.roundedCharge(for: bytes, now: chargedBytes) else { return }
        host.retain(charge - chargedBytes)
        chargedBytes = charge
    }

    /// Releases the reservation of a stream.
    func releaseStream(isMember: Bool) {
        streamCount -= 1
        assert(
            streamCount >= streams.count,
            "expected to release each stream once, got \(streamCount) left for \(streams.count)")
        if !isMember { host.releaseStream() }
    }

    /// Ends the session: ends and releases the machine, drops scheduled blocks, and ends the streams.
    func stop(_ reason: EndReason) {
        guard endReason == nil else { return }
        if case .live(let machine, let board) = state {
            // Before `machine.end()`: ending a machine may send values, which must neither be recorded nor open a turn.
            board.isClosed = true
            meter.sessions.add(-1)
            state = .ended(reason)
            asMainQueue { machine.end() }
        } else {
            state = .ended(reason)
        }
        context.declaredTopics?.close()
        context.declaredEffects?.close()
        // After `machine.end()`, which may still cancel its timers one by one. This drops the rest.
        context.scheduler.close()
        context.stateRegistry = nil
        idempotency = nil
        large?.shown = [:]
        // Open streams still send their unread changes before their last event.
        if streams.isEmpty { history.removeAll() }
        noteRetainedBytes()
        // The end of a stored session is sent when it has been stored.
        if storage == nil || reason.isForStreamOnly { endStreams(reason) }
    }
}

extension Session {
    /// Ends the streams after their clients have received the released changes.
    func endStreams(_ reason: EndReason) {
        for stream in streams { stream.end(reason) }
    }
}
