import CLinux
import HTTP1
import HTTP2
import HTTPModel
import Log

/// One event loop's share of a server: what its connections have in common. Confined to the loop.
///
/// Sendable, so that work for it can be carried there: `loop`, `configuration` and `gauge` are constant and safe from
/// anywhere, everything else is touched on the loop only.
final class ServerLoop: @unchecked Sendable {
    let loop: EpollEventLoop
    let configuration: HTTPServerConfiguration
    let log: Log
    let gauge: ConnectionGauge
    let times: ConnectionTimes
    /// All of the server's loops by index, this one among them; set before the first connection comes.
    var siblings: [ServerLoop] = []
    private(set) var isDraining = false
    /// Until when a connection may rest between two requests, once the loop drains. With a successor there is no hurry, and
    /// a client that uses its connection is told to make another one with its next answer instead of losing a request.
    private(set) var restEnd: UInt64 = 0
    /// What each client has, where that is limited; one for all loops, set before the first connection comes.
    var clientLimiter: ClientLimiter?
    /// Set once, on the loop, before the first connection comes.
    private(set) var responder: (any HTTPResponder)?

    /// Where connections read into: one for all, as only one of them reads at a time.
    let input: UnsafeMutableRawBufferPointer
    private var date = HTTP1Date()
    private var dateOfValue: [UInt8] = []
    private var value: [UInt8] = []
    /// Where connections write their answers.
    var output = ReusableBuffer(capacity: 64 << 10)
    /// Where TLS writes what it makes of them.
    var sealed = ReusableBuffer()
    /// What connections send when the round ends.
    let outbox = Outbox()
    /// What one connection of HTTP/2 may ask.
    let http2: HTTP2SharedLimits
    /// The port that the public's TLS is listened for on; set before the first connection comes.
    var securePort: UInt16?
    /// Which hosts are answered for; set before the first connection comes.
    @exclusivity(unchecked) var hosts: HostPolicy
    /// The host of the public's last request whose host was accepted.
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
        // An unfinished line has to fit beside what comes next.
        let lines = 2 * max(configuration.limits.headBytes, configuration.limits.trailerBytes)
        input = .allocate(byteCount: max(64 << 10, lines), alignment: 16)
    }

    deinit {
        input.deallocate()
    }

    /// The field line with the present second.
    func dateLine() -> [UInt8] { date.fieldLine(at: granary_wall_seconds()) }

    /// The present second as the value of `Date`.
    func dateValue() -> [UInt8] {
        let line = dateLine()
        if line != dateOfValue {
            dateOfValue = line
            value = Array(line.dropFirst("date: ".utf8.count).dropLast("\r\n".utf8.count))
        }
        return value
    }

    // Life

    /// Has requests answered by that from now on.
    func begin(_ responder: any HTTPResponder) {
        self.responder = configuration.compression.map { CodingResponder(responder, $0) } ?? responder
        loop.endOfRound = { [outbox] in outbox.send() }
    }

    /// Starts to take connections from an open socket.
    func listen(on socket: ListeningSocket) throws(HTTPServerError) {
        let listener = Listener(socket, context: self)
        try listener.begin()
        listeners.append(listener)
    }

    /// Takes no more connections, has the responder end its streams, and closes what waits for nothing. Connections that
    /// wait to be accepted are, unless a successor has their sockets, which is to accept them.
    func drain(hasSuccessor: Bool) {
        guard !isDraining else { return }
        isDraining = true
        restEnd = loop.nanoseconds + (hasSuccessor ? times.drain / 2 : 0)
        for listener in listeners {
            if !hasSuccessor { listener.acceptAll() }
            listener.end()
        }
        listeners = []
        responder?.drain()
        for handler in loop.allHandlers { handler.drain() }
        gauge.leave()
    }

    /// Closes every connection, whatever is under way.
    func closeAll() {
        for handler in loop.allHandlers { handler.cutOff() }
    }

    /// Breaks what refers to one another.
    func dismantle() {
        siblings = []
        responder = nil
    }
}
