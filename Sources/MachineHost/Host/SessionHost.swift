public import HTTPModel
import Locking
public import Log
import Synchronization

/// Hosts machines: knows which there are and what is allowed, and makes the responder of each event loop. Shared by all
/// loops; what it shares is either constant or a counter.
public final class SessionHost: Sendable {
    /// The limits and times.
    public let configuration: HostConfiguration
    let catalogue: MachineCatalogue
    let log: Log
    let wallClock: @Sendable () -> WallTime
    private let sessions = Atomic(0)
    private let streams = Atomic(0)
    private let bytes = Atomic(0)
    /// What keys and requests are remembered by.
    let digestKey = RequestDigest.Key.random()
    /// The sessions of each client, if they are limited. Asked once a session, never for an input.
    private let clients: Lock<ClientTable>?

    /// A host of these machines. Throws if one cannot be hosted: a name that is taken or is none, an output that two
    /// share, a name that a client could not send. `wallClock` is asked for the times that people read.
    public init(
        _ machines: [MachineDefinition], configuration: HostConfiguration = HostConfiguration(), log: Log = .silent,
        wallClock: @escaping @Sendable () -> WallTime = WallTime.now
    ) throws(MachineRegistrationError) {
        catalogue = try MachineCatalogue(machines)
        self.configuration = configuration
        self.log = log
        self.wallClock = wallClock
        let (most, newest) = (configuration.maxSessionsPerClient, configuration.maxNewSessionsPerClient)
        clients =
            most == nil && newest == nil ? nil : Lock(ClientTable(connections: most, newPerSecond: newest))
    }

    /// The responder for one loop, to be called on that loop only. One is made for each loop.
    public func makeShard(on loop: any EventLoop) -> SessionShard {
        SessionShard(host: self, loop: loop)
    }

    /// How many sessions there are on all loops.
    public var sessionCount: Int { sessions.load(ordering: .relaxed) }

    /// How many streams are open on all loops.
    public var streamCount: Int { streams.load(ordering: .relaxed) }

    /// How many bytes all sessions retain, as `HostConfiguration.maxBytes` counts them.
    public var retainedByteCount: Int { bytes.load(ordering: .relaxed) }

    /// Counts bytes that a session retains; fewer if the number is negative. From any thread.
    func retain(_ count: Int) { bytes.add(count, ordering: .relaxed) }

    /// A session of no more than this may take inputs for a while when the server is over its limit.
    private static let smallSession = 16 << 10

    /// Whether a session that would retain so many bytes may take in more. Over the limit only a small one may, and far over
    /// it none.
    func hasRoom(forSessionOf size: Int) -> Bool {
        let (retained, limit) = (retainedByteCount, configuration.maxBytes)
        return retained <= limit || size <= SessionHost.smallSession && retained <= limit + limit / 4
    }

    func release(_ count: Int) { bytes.subtract(count, ordering: .relaxed) }

    /// Counts a new session of the peer. Returns whose it is, for ``releaseSession(of:now:)``: `nil` for a peer that is
    /// not limited. A client over its own limit is refused before the sessions of all clients are looked at, so that it
    /// cannot take up room for an instant.
    func reserveSession(for peer: HTTPPeer, now: MonotonicTime) throws(ProblemDetails) -> ClientTable.Client? {
        let client = clients == nil ? nil : ClientTable.Client(limited: peer)
        if let clients, let client {
            let refusal = clients.withLock { $0.admit(client, now: now.nanoseconds) }
            if let refusal { throw .tooManySessions(refusal, configuration) }
        }
        guard SessionHost.reserve(sessions, limit: configuration.maxSessions) else {
            release(client, now: now)
            throw .unavailable("the server has as many sessions as it may have", retryAfter: 30)
        }
        return client
    }

    /// Counts a session out that has ended.
    func releaseSession(of client: ClientTable.Client?, now: MonotonicTime) {
        sessions.subtract(1, ordering: .relaxed)
        release(client, now: now)
    }

    private func release(_ client: ClientTable.Client?, now: MonotonicTime) {
        guard let clients, let client else { return }
        clients.withLock { $0.leave(client, now: now.nanoseconds) }
    }

    /// The number of clients whose sessions are counted.
    var clientCount: Int { clients?.withLock { $0.count } ?? 0 }

    func reserveStream() -> Bool { SessionHost.reserve(streams, limit: configuration.maxStreams) }

    func releaseStream() { streams.subtract(1, ordering: .relaxed) }

    private static func reserve(_ counter: borrowing Atomic<Int>, limit: Int) -> Bool {
        guard counter.add(1, ordering: .relaxed).newValue <= limit else {
            counter.subtract(1, ordering: .relaxed)
            return false
        }
        return true
    }
}

extension ClientTable.Client {
    /// The client that a peer's sessions are counted for; `nil` for one that is not limited: a program on the same machine,
    /// or one whose address is not known.
    fileprivate init?(limited peer: HTTPPeer) {
        guard let address = NumericAddress(peer.address), !address.isLoopback else { return nil }
        self.init(peer.address)
    }
}
