public import HTTPModel

/// A blocking client that sends arbitrary bytes, including invalid requests, and parses responses.
///
/// Over a real socket (``HTTPTestServer``), it throws ``HTTPTestError`` if expected data does not arrive within
/// ``patience``. In memory (``HTTPVirtualServer``), it throws as soon as the server has nothing left to do.
public final class HTTPTestClient {
    /// The time to wait for expected data; five minutes by default, because on a busy machine, a test that passes may wait for
    /// minutes. An in-memory client does not wait.
    public var patience = Duration.seconds(300)
    /// The received bytes that have not been consumed as a response or an event.
    public private(set) var pending: [UInt8] = []

    private let socket: HTTPTestSocket
    private var tls: TLSTestSession?
    private var events = EventStreamParser()
    private var chunks = ChunkReader()

    /// Connects to a port of this machine. With a small receive buffer, the client acts as a slow reader.
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

    /// Whether the server has closed the connection.
    public var hasEnded: Bool { socket.hasEnded }

    /// Whether the connection was reset.
    public var wasReset: Bool { socket.wasReset }

    /// The fault that is injected into sent bytes. Set it before ``beginTLS(_:)`` to include the handshake.
    public var fault: HTTPTestFault? {
        get { socket.fault }
        set { socket.fault = newValue }
    }

    /// Whether a fault has cut off the client's bytes, so that sent bytes are discarded.
    public var isCut: Bool { socket.isCut }

    /// Performs a TLS handshake. All further bytes are encrypted.
    public func beginTLS(_ options: TLSTestOptions = TLSTestOptions()) throws {
        let session = try TLSTestSession(options)
        let limit = ContinuousClock.now + patience
        while true {
            let isOver = try session.shakeHands()
            try socket.send(session.takeOutput())
            if isOver { break }
            guard let bytes = socket.receive(until: limit) else {
                throw HTTPTestError("the server did not continue the handshake")
            }
            _ = try session.receive(bytes)
        }
        tls = session
        // The last bytes of the handshake may have been followed by content.
        pending += try session.receive([])
    }

    /// The protocol that was negotiated with ALPN.
    public var applicationProtocol: String? { tls?.applicationProtocol }

    /// The SHA-256 fingerprint of the server's certificate.
    public var serverFingerprint: [UInt8] { tls?.serverFingerprint ?? [] }

    /// Whether the server has sent `close_notify`.
    public var hasEndedTLS: Bool { tls?.hasEnded ?? false }

    /// Sends a text unchanged. The caller provides the line ends.
    public func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    /// Sends bytes.
    public func send(_ bytes: [UInt8]) throws {
        guard let tls else { return try socket.send(bytes) }
        try tls.send(bytes)
        try socket.send(tls.takeOutput())
    }

    /// Updates the keys of TLS 1.3 a number of times, and requests the same from the server each time.
    public func updateKeys(times: Int = 1) throws {
        guard let tls else { throw HTTPTestError("cannot update keys: the connection does not use TLS") }
        for _ in 0..<times { try tls.updateKeys() }
        try socket.send(tls.takeOutput())
    }

    /// Sends each byte with a separate call, over TLS in a separate record.
    public func sendByteByByte(_ text: String) throws {
        for byte in text.utf8 {
            try send([byte])
            socket.letServerLook()
        }
    }

    /// Sends bytes with one call, the last one as TCP urgent data. The bytes bypass TLS.
    public func sendUrgent(_ text: String) throws { try sendUrgent(Array(text.utf8)) }

    /// Sends bytes with one call, the last one as TCP urgent data. The bytes bypass TLS.
    public func sendUrgent(_ bytes: [UInt8]) throws { try socket.sendUrgent(bytes) }

    /// Half-closes the connection. The client can still receive.
    public func finishSending() { socket.finishSending() }

    /// Sends `close_notify` and leaves the socket open. The client can still receive.
    public func finishSendingTLS() throws {
        guard let tls else { throw HTTPTestError("cannot end TLS: the connection does not use TLS") }
        tls.close()
        try socket.send(tls.takeOutput())
    }

    /// Resets the connection.
    public func reset() { socket.reset() }

    /// Closes the connection.
    public func close() { socket.close() }

    /// Receives the next complete response. Pass `toHead` for a response to a `HEAD` request, which has no content
    /// regardless of its fields.
    public func receiveResponse(toHead: Bool = false) throws -> HTTPTestResponse {
        var response = try receiveHead()
        // Interim responses precede the final one (RFC 9110 §15.2).
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

    /// Receives the head of the next response, including interim responses, and leaves its content.
    public func receiveHead() throws -> HTTPTestResponse {
        let end = Array("\r\n\r\n".utf8)
        try receive(until: { HTTPTestClient.firstOffset(of: end, in: $0) != nil }, what: "a response's head")
        let count = HTTPTestClient.firstOffset(of: end, in: pending) ?? 0
        return try HTTPTestResponse(head: String(decoding: take(count + 4).dropLast(4), as: UTF8.self))
    }

    /// Receives a number of events of a chunked event stream whose head has been received.
    public func receiveEvents(_ count: Int) throws -> [ServerSentEvent] {
        var received: [ServerSentEvent] = []
        let limit = ContinuousClock.now + patience
        while true {
            received += events.receive(try chunks.read(&pending))
            if received.count >= count || chunks.hasEnded { return received }
            guard try receiveMore(until: limit) else {
                throw HTTPTestError("expected \(count) events, got \(received.count)")
            }
        }
    }

    /// Waits until the server closes the connection, and returns the bytes that have not been consumed.
    public func receiveToEnd() throws -> [UInt8] {
        let limit = ContinuousClock.now + patience
        while try receiveMore(until: limit) {}
        guard hasEnded else { throw HTTPTestError("expected the server to close the connection") }
        return take(pending.count)
    }

    /// Waits until the pending bytes satisfy a condition.
    public func receive(until condition: ([UInt8]) -> Bool, what: String = "the expected data") throws {
        let limit = ContinuousClock.now + patience
        while !condition(pending) {
            guard try receiveMore(until: limit) else {
                throw HTTPTestError(
                    "expected \(what), got: \(String(decoding: pending.prefix(500), as: UTF8.self))")
            }
        }
    }

    private func receiveChunks() throws -> [UInt8] {
        var reader = ChunkReader()
        var body = try reader.read(&pending)
        let limit = ContinuousClock.now + patience
        while !reader.hasEnded {
            guard try receiveMore(until: limit) else { throw HTTPTestError("expected the end of a chunked body") }
            body += try reader.read(&pending)
        }
        return body
    }

    private func take(_ count: Int) -> [UInt8] {
        defer { pending.removeFirst(count) }
        return Array(pending.prefix(count))
    }

    /// Waits for bytes and returns all that have arrived.
    public func receiveSome(what: String) throws -> [UInt8] {
        let limit = ContinuousClock.now + patience
        while pending.isEmpty {
            guard try receiveMore(until: limit) else { throw HTTPTestError("expected \(what), got nothing") }
        }
        return take(pending.count)
    }

    /// Waits for bytes or the end of the connection, and returns all bytes that have arrived.
    public func receiveAnything() throws -> [UInt8] {
        let limit = ContinuousClock.now + patience
        while pending.isEmpty, !hasEnded {
            guard try receiveMore(until: limit) || hasEnded else {
                throw HTTPTestError("expected bytes or the end of the connection, got nothing")
            }
        }
        return take(pending.count)
    }

    /// Waits for more content. Returns whether content or the TLS `close_notify` arrived.
    private func receiveMore(until limit: ContinuousClock.Instant) throws -> Bool {
        while let bytes = socket.receive(until: limit) {
            if try take(bytes) { return true }
        }
        return false
    }

    /// Adds the bytes that have arrived to ``pending``, without waiting and, in memory, without running the server.
    public func receiveAvailable() throws {
        while let bytes = socket.receiveNow() { _ = try take(bytes) }
    }

    /// Processes bytes from the wire. Returns whether they contained content.
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

    /// Discards all received bytes.
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
