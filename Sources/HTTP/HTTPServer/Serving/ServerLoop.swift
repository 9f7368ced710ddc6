import CLinux
import HTTP1
import HTTP2
import HTTPModel
import Log

/// The part of a server that belongs to one event loop: the state that its connections share. Confined to the loop.
///
/// Sendable, so that tasks for the loop can capture it: `loop`, `configuration` and `gauge` are constant and may be
/// used from any thread. Everything else is accessed only on the loop.
final class ServerLoop: @unchecked Sendable {
    let loop: EpollEventLoop
    let configuration: HTTPServerConfiguration
    let log: Log
    let gauge: ConnectionGauge
    let times: ConnectionTimes
    /// All loops of the server, including this one, by index. Set before the first connection arrives.
    var siblings: [ServerLoop] = []
    private(set) var isDraining = false
    /// The time until which a connection may stay idle between two requests while the loop drains. If there is a
    /// successor, there is time for another request: its response has `Connection: close`, so that the client does not
    /// lose a request.
    private(set) var restEnd: UInt64 = 0
    /// The limits per client, if any; shared by all loops. Set before the first connection arrives.
    var clientLimiter: ClientLimiter?
    /// Set once, on the loop, before the first connection arrives.
    private(set) var responder: (any HTTPResponder)?

    /// The buffer that connections read into. One is enough, since one connection at a time reads.
    let input: UnsafeMutableRawBufferPointer
    // Unchecked exclusivity: used by the loop only, once for each response, and by nothing that calls out.
    @exclusivity(unchecked) private var date = HTTP1Date()
    private var dateOfValue: [UInt8] = []
    private var value: [UInt8] = []
    /// The buffer that connections write responses to.
    var output = ReusableBuffer(capacity: 64 << 10)
    /// The buffer that TLS writes records to.
    var sealed = ReusableBuffer()
    /// The bytes that connections send at the end of the round.
    let outbox = Outbox()
    let http2: HTTP2SharedLimits
    /// The port of the public TLS listener. Set before the first connection arrives.
    var securePort: UInt16?
    /// The hosts that requests may name. Set before the first connection arrives.
    @exclusivity(unchecked) var hosts: HostPolicy
    // Most requests name the same host, and a comparison is cheaper than applying the policy.
    /// The host of the last public request whose host was accepted.
    @exclusivity(unchecked) var acceptedHost: String?
    private var listeners: [Listener] = []

    init(loop: EpollEventLoop, configuration: HTTPServerConfiguration, gauge: ConnectionGauge, log: Log) {
        self.loop = loop
        self.configuration = configuration
        self.gauge = gauge
        self.log = log
        times = ConnectionTimes(configuration)
        hosts = HostPolicy(configuration, listeners: [])
        http2 = HTTP2SharedLimits(configuration.effectiveHTTP2)
        // Space for an incomplete line and the bytes that complete it.
        let lines = 2 * max(configuration.limits.headBytes, configuration.limits.trailerBytes)
        input = .allocate(byteCount: max(64 << 10, lines), alignment: 16)
    }

    deinit {
        input.deallocate()
    }

    /// The `Date` field line for the current second.
    func dateLine() -> [UInt8] { date.fieldLine(at: granary_wall_seconds()) }

    /// The value of the `Date` field for the current second.
    func dateValue() -> [UInt8] {
        // HTTP/2 needs the value without the field's name. It is derived once per second as well.
        let line = dateLine()
        if line != dateOfValue {
            dateOfValue = line
            value = Array(line.dropFirst("date: ".utf8.count).dropLast("\r\n".utf8.count))
        }
        return value
    }

    // Life

    /// Sets the responder for the requests of this loop.
    func begin(_ responder: any HTTPResponder) {
        self.responder = configuration.compression.map { CompressingResponder(responder, $0) } ?? responder
        // Captures the outbox only: this object refers to the loop, and a reference back would keep both alive.
        loop.endOfRound = { [outbox] in outbox.send() }
    }

    /// Starts to accept connections from a listening socket.
    func listen(on socket: ListeningSocket) throws(HTTPServerError) {
        let listener = Listener(socket, serverLoop: self)
        try listener.begin()
        listeners.append(listener)
    }

    /// Leaves new connections in the kernel's queue, or accepts them again.
    func setAccepting(_ isAccepting: Bool) {
        for listener in listeners { if isAccepting { listener.resume() } else { listener.suspend() } }
    }

    /// Stops accepting connections, lets the responder end its streams, and closes idle connections. Connections that
    /// wait to be accepted are accepted first, unless a successor has the sockets and will accept them.
    func drain(hasSuccessor: Bool) {
        guard !isDraining else { return }
        // Set before the waiting connections are accepted, so that their first response closes them.
        isDraining = true
        restEnd = loop.nanoseconds + (hasSuccessor ? times.drain / 2 : 0)
        for listener in listeners {
            if !hasSuccessor { listener.acceptAll() }
            listener.end()
        }
        listeners = []
        responder?.drain()
        for handler in loop.allHandlers { handler.drain() }
        // Last: the loop counts as a connection until it cannot accept any more, so the gauge cannot reach zero before.
        gauge.leave()
    }

    /// Closes every connection, even in the middle of a response, and releases the responder. Called on the loop, to which both are
    /// confined, while it still runs.
    func end() {
        for handler in loop.allHandlers { handler.cutOff() }
        responder = nil
    }

    /// Breaks the reference cycle of the loops. Called when the loop has ended.
    func dismantle() { siblings = [] }
}
