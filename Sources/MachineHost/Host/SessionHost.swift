public import HTTPModel
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

    func reserveSession() -> Bool { SessionHost.reserve(sessions, limit: configuration.maxSessions) }

    func releaseSession() { sessions.subtract(1, ordering: .relaxed) }

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
