public import Foundation
import HTTPModel

/// A connection to a server, with one stream for the sessions of all its machines.
///
///     let connection = GranaryConnection(to: url)
///     let counter = try await connection.machine(Counter.self)
///     try await counter.send(.increment)
///
/// It belongs to one user: all its requests have the same credential. It exists as long as the program or one of its machines
/// retains it. Everything that it tries again has a limit: see ``ClientConfiguration``.
@MainActor
public final class GranaryConnection {
    /// The address of the server. A path in it precedes all paths of requests.
    public let server: URL
    let configuration: ClientConfiguration
    let transport: any ClientTransport
    let clock: any ClientClock
    private var random: any RandomNumberGenerator
    let source: CredentialSource
    var keeper: CredentialKeeper
    var renewal: RunningRenewal?
    var waiters: [(Renewal) -> Void] = []
    var renewalTimer: (any ScheduledWork)?
    /// The ticket of a guest, which replaces itself.
    var guest: GuestTicket?
    var stream: StreamMachine
    /// The events of the stream that are not handled yet, so that a handler may call the connection.
    var actions: [StreamMachine.Action] = []
    var isActing = false
    var exchange: StreamExchange?
    /// The credential that the latest stream was opened with.
    var streamGeneration = 0
    var timer: (any ScheduledWork)?
    var watchdog: (any ScheduledWork)?
    /// The machines of each session. Usually there is one, and several if one has begun anew with a session that another one follows.
    var followers: [String: [Follower]] = [:]
    private var requests: [ObjectIdentifier: RunningRequest] = [:]
    private(set) var isClosed = false

    /// A machine that follows a session.
    final class Follower {
        weak var machine: (any SessionFollower)?
        /// The last status that the machine has received.
        var status = SessionStatus.connecting

        init(_ machine: any SessionFollower) { self.machine = machine }
    }

    /// Creates a connection. It sends nothing before the first machine is requested.
    ///
    /// - Parameters:
    ///   - server: The address of the server, such as `https://granary.example`.
    ///   - credential: Where the credential of the user comes from.
    ///   - configuration: Limits and times.
    public convenience init(
        to server: URL, credential: CredentialSource = .none, configuration: ClientConfiguration = ClientConfiguration()
    ) {
        #if canImport(Darwin)
            let transport = URLSessionTransport(maxPendingBytes: configuration.maxResponseBytes)
        #else
            let transport = CurlTransport(maxPendingBytes: configuration.maxResponseBytes)
        #endif
        self.init(to: server, credential: credential, configuration: configuration, transport: transport)
    }

    /// Creates a connection with another transport.
    public convenience init(
        to server: URL, credential: CredentialSource = .none,
        configuration: ClientConfiguration = ClientConfiguration(), transport: any ClientTransport
    ) {
        self.init(
            to: server, credential: credential, configuration: configuration, transport: transport,
            clock: SystemClock(), random: SystemRandomNumberGenerator())
    }

    init(
        to server: URL, credential: CredentialSource, configuration: ClientConfiguration,
        transport: any ClientTransport, clock: any ClientClock, random: any RandomNumberGenerator
    ) {
        self.server = server
        self.configuration = configuration
        self.transport = transport
        self.clock = clock
        self.random = random
        source = credential
        keeper = CredentialKeeper(credential)
        stream = StreamMachine(
            policy: configuration.retry, silence: configuration.silence, maxEventBytes: configuration.maxResponseBytes,
            canRenewCredential: credential.renew != nil)
    }

    /// Tries again now, also after the client has given up. Call it when the network is available again, the application
    /// comes to the foreground or the user has signed in.
    public func reconnect() {
        guard !isClosed else { return }
        apply(stream.reconnect(at: clock.now))
    }

    /// Closes the stream and abandons all requests, with ``GranaryError/closed``. The sessions continue on the server.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        for session in followers.keys.sorted() { apply(stream.remove(session)) }
        let machines = followers.values.flatMap { $0.compactMap(\.machine) }
        followers = [:]
        for request in requests.values { request.abandon(.closed) }
        renewal = nil
        renewalTimer = nil
        guest = nil
        answerWaiters(.failed)
        for machine in machines { machine.closed() }
    }

    /// Sends a request until it succeeds or is final.
    func perform(
        _ request: ClientRequest, _ repetition: RetriedRequest.Repetition, expectsObject: Bool = true,
        completion: @escaping (Result<ClientResponse, GranaryError>) -> Void
    ) {
        guard !isClosed else { return completion(.failure(.closed)) }
        let machine = RetriedRequest(
            policy: configuration.retry, repetition: repetition, expectsObject: expectsObject)
        let running = RunningRequest(request, machine, on: self, completion: completion)
        requests[ObjectIdentifier(running)] = running
        running.begin()
    }

    /// Releases a request that has ended.
    func forget(_ request: RunningRequest) { requests[ObjectIdentifier(request)] = nil }

    /// Returns a random number from 0 to 1.
    func jitter() -> Double { Double(random.next() >> 11) / Double(UInt64(1) << 53) }

    /// Returns 192 random bits as text: a key that nobody else has or can guess.
    func randomKey() -> String {
        let words = (0..<3).map { _ in random.next() }
        return Base64URL.text(of: words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } })
    }
}
