import Access
public import HTTPModel
import Locking
public import Log
import Synchronization
package import Telemetry

/// Hosts machines: holds their definitions and limits, and creates a responder for each event loop. Shared by all
/// loops; its state is immutable, atomic or locked.
public final class SessionHost: Sendable {
    /// The limits and times.
    public let configuration: HostConfiguration
    let catalogue: MachineCatalogue
    /// The log, in the object that the contexts of the sessions share.
    let sharedLog: SharedLog
    var log: Log { sharedLog.log }
    let wallClock: @Sendable () -> WallTime
    /// Stores the sessions that survive the process; nil if all sessions end with it.
    let journal: JournalWriter?
    /// Takes the spans of sampled requests and of what they cause; nil if nothing is traced.
    let spans: (any SpanReceiver)?
    /// Encrypts stored sessions with secrets.
    let seal: SessionSeal
    let access: AccessPolicy
    /// The sessions and stored bytes of each client.
    let quotas: HostQuotas
    /// The open streams of each client.
    let streamCounts = StreamCounts()
    /// The documents that describe the host; nil if it has none.
    let documents: HostDocuments?
    private let sessions = Atomic(0)
    private let streams = Atomic(0)
    private let bytes = Atomic(0)
    /// The secret key for the digests of idempotency keys and their requests.
    var digestKey: RequestDigest.Key { journal?.digestKey ?? ownDigestKey }
    /// The generation by which the epochs of stored sessions are moved.
    var generation: Epoch { journal?.generation ?? Epoch(bits: 0) }
    private let ownDigestKey = RequestDigest.Key.random()
    /// The sessions of each client; nil if clients are not limited.
    // Taken when a session is created or ends, never for an input.
    private let clients: Lock<ClientTable>?
    let shards: ShardTable
    let topics: TopicHub

    /// Creates a host of machines.
    ///
    /// - Parameters:
    ///   - machines: The machines that clients can use.
    ///   - configuration: The limits and the timing of sessions.
    ///   - log: The log of the host and its sessions.
    ///   - wallClock: Returns the time of day that clients and logs see.
    ///   - journal: Stores the sessions that survive the process; nil if all sessions end with it.
    /// - Throws: If a machine cannot be hosted: its name is invalid or used twice, or the name of an input or output is
    ///   invalid or used twice.
    public convenience init(
        _ machines: [MachineDefinition], configuration: HostConfiguration = HostConfiguration(), log: Log = .silent,
        wallClock: @escaping @Sendable () -> WallTime = WallTime.now, journal: JournalWriter? = nil
    ) throws(MachineRegistrationError) {
        try self.init(
            machines, configuration: configuration, log: log, wallClock: wallClock, journal: journal,
            access: HostAccess())
    }

    /// Creates a host of machines with access control.
    ///
    /// - Parameters:
    ///   - access: The access control: who may use the sessions, and how much.
    ///   - spans: Takes the spans of sampled requests and of what they cause; nil if nothing is traced.
    /// - Throws: If a machine cannot be hosted.
    package init(
        _ machines: [MachineDefinition], configuration: HostConfiguration = HostConfiguration(), log: Log = .silent,
        wallClock: @escaping @Sendable () -> WallTime = WallTime.now, journal: JournalWriter? = nil,
        access: HostAccess, spans: (any SpanReceiver)? = nil
    ) throws(MachineRegistrationError) {
        self.spans = spans
        shards = ShardTable()
        topics = TopicHub(configuration.topics, shards)
        self.access = AccessPolicy(access)
        quotas = HostQuotas(access.quotas)
        documents = configuration.document.map(HostDocuments.init)
        catalogue = try MachineCatalogue(
            machines, stored: journal?.durability ?? .memory, byDefault: journal?.defaultDurability,
            keys: configuration.secretKeys)
        seal = SessionSeal(configuration.secretKeys, machines: machines)
        self.configuration = configuration
        sharedLog = SharedLog(log)
        self.wallClock = wallClock
        self.journal = journal
        journal?.addCheck { [catalogue] journal in try catalogue.checkShapes(in: journal) }
        journal?.use(configuration.storedLimits, seal, quotas)
        let (most, newest) = (configuration.maxSessionsPerClient, configuration.maxNewSessionsPerClient)
        clients =
            most == nil && newest == nil ? nil : Lock(ClientTable(connections: most, newPerSecond: newest))
        for machine in machines {
            for warning in machine.warnings {
                log(
                    .warning, "machine registered with a warning",
                    ["machine": .text(machine.name), "warning": .text(warning)])
            }
        }
        for machine in catalogue.machines {
            guard let requested = machine.definition.durability, requested > machine.durability else { continue }
            log(
                .warning, "sessions survive less than the registration of their machine requests",
                [
                    "machine": .text(machine.definition.name), "requested": .text(requested.rawValue),
                    "durability": .text(machine.durability.rawValue),
                ])
        }
    }

    /// Replaces the access control of the sessions, for example after keys were reloaded. Callable from any thread, while the server
    /// runs. Requests that were authenticated before keep their result.
    package func replaceAccess(_ access: HostAccess) {
        quotas.replace(access.quotas)
        self.access.replace(with: access)
        // Each loop takes the newest configuration, so that two replacements in a row arrive in order.
        for shard in shards.all { shard.execute { [self] in $0?.replaceAccess(self.access.current) } }
    }

    /// Returns a new responder for one loop. Create one per loop, and call it on that loop only.
    public func makeShard(on loop: any EventLoop) -> SessionShard {
        makeShard(on: loop, counting: MetricCells())
    }

    /// Returns a new responder for one loop, which counts in the cells of the loop.
    package func makeShard(on loop: any EventLoop, counting cells: MetricCells) -> SessionShard {
        SessionShard(host: self, loop: loop, cells: cells)
    }

    /// The number of sessions on all loops.
    public var sessionCount: Int { sessions.load(ordering: .relaxed) }

    /// The number of open streams on all loops.
    public var streamCount: Int { streams.load(ordering: .relaxed) }

    /// The number of bytes that all sessions retain, as ``HostConfiguration/maxBytes`` counts them.
    public var retainedByteCount: Int { bytes.load(ordering: .relaxed) }

    /// Adds to the retained bytes; subtracts if the number is negative. May be called from any thread.
    // Relaxed, like all counters here: they guard limits, not memory, and a value that is a moment old only shifts a
    // limit by a few bytes.
    func retain(_ count: Int) { bytes.add(count, ordering: .relaxed) }

    /// The size up to which a session may still take inputs when the server exceeds its limit.
    private static let smallSession = 16 << 10

    /// Returns whether a session that would retain `size` bytes may take more input.
    ///
    /// Over the limit, only small sessions may. At 125 % of the limit, none may.
    func hasRoom(forSessionOf size: Int) -> Bool {
        // A session that has stayed small is not the cause of the shortage. Refusing it at the same point would let one
        // large session lock out all others.
        let (retained, limit) = (retainedByteCount, configuration.maxBytes)
        return retained <= limit || size <= SessionHost.smallSession && retained <= limit + limit / 4
    }

    /// Whether the sessions retain more than three quarters of their limit.
    var isShortOfMemory: Bool { retainedByteCount > configuration.maxBytes - configuration.maxBytes / 4 }

    /// Returns how long a session may stay in memory without use: all of the configured time unless memory is short, and then less in
    /// proportion to what is left of the last quarter, down to one tick.
    func shortened(_ ticks: Tick) -> Tick {
        guard isShortOfMemory else { return ticks }
        let free = Double(max(0, configuration.maxBytes - retainedByteCount))
        return min(ticks, max(1, Tick(Double(ticks) * free / Double(configuration.maxBytes) * 4)))
    }

    func release(_ count: Int) { bytes.subtract(count, ordering: .relaxed) }

    /// Reserves a session for a requester.
    ///
    /// - Returns: The client to pass to ``releaseSession(of:now:)``; nil if the peer is not limited.
    /// - Throws: The problem to respond with if a limit is reached.
    func reserveSession(
        for requester: Requester = .anonymous, _ peer: HTTPPeer, now: MonotonicTime
    ) throws(ProblemDetails) -> ClientTable.Client? {
        let client = clients == nil && !quotas.isActive ? nil : client(of: requester, peer)
        // The client's own limit comes first. A client over its limit would otherwise take a place from the global
        // count for a moment, and cause a 503 for another client.
        if let clients, let client {
            let refusal = clients.withLock { $0.admit(client, now: now.nanoseconds) }
            if let refusal { throw .tooManySessions(refusal, configuration) }
        }
        guard SessionHost.reserve(sessions, limit: configuration.maxSessions) else {
            release(client, now: now)
            throw .unavailable("the server has reached its limit of sessions", retryAfter: 30)
        }
        if let client, holdsTooMuch(client) {
            releaseSession(of: client, now: now)
            throw .overQuota(.sessions, .overShare)
        }
        return client
    }

    /// Returns whether the last tenth of the sessions is in use, and a client has more than an even share of all.
    // Otherwise, one client could take the last place, and all others would be refused.
    private func holdsTooMuch(_ client: ClientTable.Client) -> Bool {
        let limit = configuration.maxSessions
        guard let clients, sessionCount > limit - limit / 10 else { return false }
        return clients.withLock { $0.held(by: client) - 1 > limit / max(1, $0.count) }
    }

    /// Returns the client that the sessions of a requester count for; nil if it is not limited.
    func client(of requester: Requester, _ peer: HTTPPeer) -> ClientTable.Client? {
        let address = peer.limitedClient?.digest(digestKey)
        guard case .principal(let principal, let hash) = requester else { return address }
        // A browser that discards its cookie becomes another principal.
        if principal.method == .cookie, let address { return address }
        return ClientTable.Client(bits: hash.bytes.reduce(0) { $0 << 8 | UInt128($1) })
    }

    /// Reserves a session that is restored. It counts for its client, but is not refused because of it: what the client has is
    /// limited when it creates sessions.
    ///
    /// - Parameter client: The digest of the client, as it was stored; nil if the client is not limited.
    /// - Returns: The client to pass to ``releaseSession(of:now:)``.
    /// - Throws: The problem to respond with if the host has no room for the session.
    func reserveRestored(_ client: RequestDigest?) throws(ProblemDetails) -> ClientTable.Client? {
        guard SessionHost.reserve(sessions, limit: configuration.maxSessions) else {
            throw .unavailable("the server has reached its limit of sessions", retryAfter: 30)
        }
        guard let client else { return nil }
        let known = ClientTable.Client(client)
        // Also without limits for clients: the session keeps its client, for which quotas count it.
        clients?.withLock { $0.rejoin(known) }
        return known
    }

    /// Releases the reservation of a session that has ended.
    func releaseSession(of client: ClientTable.Client?, now: MonotonicTime) {
        sessions.subtract(1, ordering: .relaxed)
        release(client, now: now)
    }

    private func release(_ client: ClientTable.Client?, now: MonotonicTime) {
        guard let clients, let client else { return }
        clients.withLock { $0.leave(client, now: now.nanoseconds) }
    }

    var clientCount: Int { clients?.withLock { $0.count } ?? 0 }

    func reserveStream() -> Bool { SessionHost.reserve(streams, limit: configuration.maxStreams) }

    func releaseStream() {
        assert(streams.load(ordering: .relaxed) > 0, "expected to release each stream of the server once")
        streams.subtract(1, ordering: .relaxed)
    }

    private static func reserve(_ counter: borrowing Atomic<Int>, limit: Int) -> Bool {
        // Add first, then check: a check followed by an add would let two loops pass the limit together.
        guard counter.add(1, ordering: .relaxed).newValue <= limit else {
            counter.subtract(1, ordering: .relaxed)
            return false
        }
        return true
    }
}

// The address of a client is neither stored nor kept in memory longer than its connection, because it identifies a person.
// The digest has the key of the journal, so that it is the same in the next process.
extension ClientTable.Client {
    init(_ digest: RequestDigest) {
        self.init(bits: UInt128(digest.high) << 64 | UInt128(digest.low))
    }

    /// The digest of a client that ``digest(_:)`` has returned.
    var stored: RequestDigest {
        RequestDigest(low: UInt64(truncatingIfNeeded: bits), high: UInt64(truncatingIfNeeded: bits >> 64))
    }

    /// Returns the client that stands for this one under a key.
    fileprivate func digest(_ key: RequestDigest.Key) -> ClientTable.Client {
        // The text separates this use of the key from the others.
        let address = withUnsafeBytes(of: bits.bigEndian) { Array("client".utf8) + Array($0) }
        return ClientTable.Client(key.digest(of: address))
    }
}
