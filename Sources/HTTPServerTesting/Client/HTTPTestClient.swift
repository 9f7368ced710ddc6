public import HTTPModel
import HTTPServer

/// A client that sends any bytes, also those that no decent client would, and waits for what comes back: over a real socket
/// (``HTTPTestServer``), where whatever does not come within its patience is thrown as ``HTTPTestError``, or in memory
/// (``HTTPVirtualServer``), where what has not come once the server has nothing left to do is thrown at once.
public final class HTTPTestClient {
    /// How long to wait for what has to come. In memory nothing is waited for.
    public var patience = Duration.seconds(60)
    /// Bytes that have come and have not been taken as a response or an event.
    public private(set) var pending: [UInt8] = []

    private let socket: HTTPTestSocket
    private var tls: TLSTestSession?
    private var events = EventStreamParser()
    private var chunks = ChunkReader()

    /// Connects to a port of this machine. A small receive buffer makes a slow reader of it.
    public convenience init(port: UInt16, host: String = "127.0.0.1", receiveBuffer: Int = 0) throws {
        self.init(over: try HTTPTestSocket(host: host, port: port, receiveBuffer: receiveBuffer))
    }

    /// Connects to a Unix socket.
    public convenience init(unixSocket path: String) throws {
        self.init(over: try HTTPTestSocket(unixSocket: path))
    }

    init(over socket: HTTPTestSocket) {
        self.socket = socket
    }

    /// Whether the server has closed its side.
    public var hasEnded: Bool { socket.hasEnded }

    /// Whether the connection was broken off instead of closed.
    public var wasReset: Bool { socket.wasReset }

    /// What goes wrong with the bytes that are sent from now on; set before ``beginTLS(_:)`` with the handshake's too.
    public var fault: HTTPTestFault? {
        get { socket.fault }
        set { socket.fault = newValue }
    }

    /// Whether a fault has cut the client's bytes off: what is sent now goes nowhere.
    public var isCut: Bool { socket.isCut }

    /// Speaks TLS from now on; returns once both sides have agreed.
    public func beginTLS(_ options: TLSTestOptions = TLSTestOptions()) throws {
        let session = try TLSTestSession(options)
        let limit = ContinuousClock.now + patience
        while true {
            let isOver = try session.shakeHands()
            try socket.send(session.takeOutput())
            if isOver { break }
            guard let bytes = socket.receive(until: limit) else {
                throw HTTPTestError("the server did not go on with the handshake")
            }
            _ = try session.receive(bytes)
        }
        tls = session
        pending += try session.receive([])
    }

    /// The protocol that was agreed on with TLS.
    public var applicationProtocol: String? { tls?.applicationProtocol }

    /// The SHA-256 of the certificate that the server showed.
    public var serverFingerprint: [UInt8] { tls?.serverFingerprint ?? [] }

    /// Whether the server has said goodbye over TLS.
    public var hasEndedTLS: Bool { tls?.hasEnded ?? false }

    /// Sends text as it is; line ends are written out by the caller.
    public func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    /// Sends all of the bytes.
    public func send(_ bytes: [UInt8]) throws {
        guard let tls else { return try socket.send(bytes) }
        try tls.send(bytes)
        try socket.send(tls.takeOutput())
    }

    /// Changes the keys of TLS 1.3 so many times, and asks the server to do so too each time.
    public func updateKeys(times: Int = 1) throws {
        guard let tls else { throw HTTPTestError("there are no keys in cleartext") }
        for _ in 0..<times { try tls.updateKeys() }
        try socket.send(tls.takeOutput())
    }

    /// Sends every byte with a call of its own; over TLS each in a record of its own.
    public func sendByteByByte(_ text: String) throws {
        for byte in text.utf8 {
            try send([byte])
            socket.letServerLook()
        }
    }

    /// Sends all of the bytes with one call, the last of them as TCP's urgent data, below TLS if there is any.
    public func sendUrgent(_ text: String) throws { try sendUrgent(Array(text.utf8)) }

    /// Sends all of the bytes with one call, the last of them as TCP's urgent data, below TLS if there is any.
    public func sendUrgent(_ bytes: [UInt8]) throws { try socket.sendUrgent(bytes) }

    /// Ends the client's side and goes on reading.
    public func finishSending() { socket.finishSending() }

    /// Ends the client's side of TLS (`close_notify`), leaves the socket open, and goes on reading.
    public func finishSendingTLS() throws {
        guard let tls else { throw HTTPTestError("there is no TLS to end") }
        tls.close()
        try socket.send(tls.takeOutput())
    }

    /// Breaks the connection off with a reset.
    public func reset() { socket.reset() }

    /// Closes the connection.
    public func close() { socket.close() }

    /// Takes the next response whole. The answer to a `HEAD` has to be named one, as nothing in it says so.
    public func receiveResponse(toHead: Bool = false) throws -> HTTPTestResponse {
        var response = try receiveHead()
        while response.status / 100 == 1 { response = try receiveHead() }
        if toHead || response.status == 204 || response.status == 304 { return response }
        if response.fields.value(.transferEncoding, equalsIgnoringCase: "chunked") {
            response.body = try receiveChunks()
        } else if let length = response.fields.value(.contentLength).flatMap({ Int($0) }) {
            try receive(until: { $0.count >= length }, what: "\(length) bytes of a body")
            response.body = take(length)
        } else {
            response.body = try receiveToEnd()
        }
        return response
    }

    /// Takes the next response's head, `100 Continue` among them; its content is left.
    public func receiveHead() throws -> HTTPTestResponse {
        let end = Array("\r\n\r\n".utf8)
        try receive(until: { HTTPTestClient.firstOffset(of: end, in: $0) != nil }, what: "a response's head")
        let count = HTTPTestClient.firstOffset(of: end, in: pending) ?? 0
        return try HTTPTestResponse(head: String(decoding: take(count + 4).dropLast(4), as: UTF8.self))
    }

    /// Takes events of a chunked event stream whose head has been taken, until there are so many.
    public func receiveEvents(_ count: Int) throws -> [ServerSentEvent] {
        var received: [ServerSentEvent] = []
        let limit = ContinuousClock.now + patience
        while true {
            received += events.receive(try chunks.read(&pending))
            if received.count >= count || chunks.hasEnded { return received }
            guard try receiveMore(until: limit) else {
                throw HTTPTestError("\(received.count) events came instead of \(count)")
            }
        }
    }

    /// Waits for the end of the connection and gives what came before it and was not taken.
    public func receiveToEnd() throws -> [UInt8] {
        let limit = ContinuousClock.now + patience
        while try receiveMore(until: limit) {}
        guard hasEnded else { throw HTTPTestError("the connection was not closed") }
        return take(pending.count)
    }

    /// Waits until what has come and has not been taken satisfies the condition.
    public func receive(until condition: ([UInt8]) -> Bool, what: String = "what was waited for") throws {
        let limit = ContinuousClock.now + patience
        while !condition(pending) {
            guard try receiveMore(until: limit) else {
                throw HTTPTestError(
                    "\(what) did not come, but: \(String(decoding: pending.prefix(500), as: UTF8.self))")
            }
        }
    }

    private func receiveChunks() throws -> [UInt8] {
        var reader = ChunkReader()
        var body = try reader.read(&pending)
        let limit = ContinuousClock.now + patience
        while !reader.hasEnded {
            guard try receiveMore(until: limit) else { throw HTTPTestError("a chunked body did not end") }
            body += try reader.read(&pending)
        }
        return body
    }

    private func take(_ count: Int) -> [UInt8] {
        defer { pending.removeFirst(count) }
        return Array(pending.prefix(count))
    }

    /// Waits for bytes, and takes all that have come.
    public func receiveSome(what: String) throws -> [UInt8] {
        let limit = ContinuousClock.now + patience
        while pending.isEmpty {
            guard try receiveMore(until: limit) else { throw HTTPTestError("\(what) did not come") }
        }
        return take(pending.count)
    }

    /// Waits for bytes or for the end, and takes all that have come.
    public func receiveAnything() throws -> [UInt8] {
        let limit = ContinuousClock.now + patience
        while pending.isEmpty, !hasEnded {
            guard try receiveMore(until: limit) || hasEnded else { throw HTTPTestError("nothing came") }
        }
        return take(pending.count)
    }

    /// Waits for more content; answers whether some came, or the end of what there is to say over TLS.
    private func receiveMore(until limit: ContinuousClock.Instant) throws -> Bool {
        while let bytes = socket.receive(until: limit) {
            if try take(bytes) { return true }
        }
        return false
    }

    /// Adds to ``pending`` what has come by now. Neither waits nor, in memory, runs the server.
    public func receiveAvailable() throws {
        while let bytes = socket.receiveNow() { _ = try take(bytes) }
    }

    /// Takes bytes off the wire; answers whether there was content in them.
    private func take(_ bytes: [UInt8]) throws -> Bool {
        guard let tls else {
            pending += bytes
            return true
        }
        let content = try tls.receive(bytes)
        try socket.send(tls.takeOutput())
        pending += content
        return !content.isEmpty
    }

    /// Drops what has come and has not been taken.
    public func discard() throws {
        try receiveAvailable()
        pending = []
    }

    private static func firstOffset(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= pattern.count else { return nil }
        return (0...(bytes.count - pattern.count)).first { start in
            bytes[start..<(start + pattern.count)].elementsEqual(pattern)
        }
    }
}
