import CLinux
import Glibc
import HTTP1
import HTTPModel

// From answers to bytes.
extension Connection {
    /// Writes an answer's head, and its content if that is known.
    func begin(_ response: HTTPResponse, _ output: inout [UInt8]) {
        let framing = encode(response, on: context, contentLimit: Connection.mostWrittenAtOnce, &output)
        if framing == .separate { return sendInParts(response) }
        guard case .stream(let stream) = response.body else { return endAnswer(on: context) }
        if response.isEventStream { flags.insert(.sendsEvents) }
        guard framing != .none else {
            stream.stop()
            return endAnswer(on: context)
        }
        if flags.contains(.peerFinished), flags.contains(.sendsEvents) {
            // Nobody follows a stream of events over a connection of which one half is closed: it ends behind its head.
            stream.stop()
            if framing == .chunked { HTTP1Chunk.appendLast(to: &output) }
            return endAnswer(on: context)
        }
        state = .streaming(stream, framing)
        flags.insert(.streamIsReady)
        stream.start(self)
    }

    /// Writes as much of an answer as is known, on the loop where it was made.
    func encode(
        _ response: HTTPResponse, on loop: ServerLoop, contentLimit: Int = .max, _ output: inout [UInt8]
    ) -> HTTP1BodyFraming {
        if loop.isDraining { exchange.keepsAlive = false }
        guard secure != nil else { return encode(plain: response, on: loop, contentLimit, &output) }
        var response = response
        loop.addSecurityFields(to: &response, for: peer)
        return encode(plain: response, on: loop, contentLimit, &output)
    }

    private func encode(
        plain response: HTTPResponse, on loop: ServerLoop, _ contentLimit: Int, _ output: inout [UInt8]
    ) -> HTTP1BodyFraming {
        let (framing, keepsAlive) = HTTP1ResponseEncoder.encode(
            response, for: exchange, dateLine: loop.dateLine(), contentLimit: contentLimit, into: &output)
        exchange.keepsAlive = keepsAlive
        return framing
    }

    /// Reads a part of a body stream; answers whether there may be more to do.
    func pump(_ stream: any HTTPBodyStream, _ framing: HTTP1BodyFraming, _ output: inout [UInt8]) -> Bool {
        flags.remove(.streamIsReady)
        // There is something to send: a wait for it starts again.
        wait = .nothing
        let limit = context.configuration.streamReadBytes
        let progress: HTTPBodyProgress
        if framing == .chunked {
            let chunk = HTTP1Chunk(in: &output)
            progress = stream.read(into: &output, limit: limit)
            chunk.end(in: &output)
        } else {
            progress = stream.read(into: &output, limit: limit)
        }
        switch progress {
        case .waiting:
            // It may have said meanwhile that there is something again.
            return flags.contains(.streamIsReady)
        case .more:
            flags.insert(.streamIsReady)
            flush(&output)
            return true
        case .finished:
            if framing == .chunked { endChunks(of: stream, &output) }
            endAnswer(on: context)
            return true
        }
    }

    func endAnswer(on loop: ServerLoop) {
        // A stream may have begun before the server was going down.
        state = exchange.keepsAlive && !loop.isDraining ? .reading : .lingering
        flags.subtract([.streamIsReady, .sendsEvents])
    }

    /// Sends what is there, now; keeps what the socket does not take.
    func flush(_ output: inout [UInt8]) {
        // What was posted before goes first.
        if flags.contains(.isPosted) { context.outbox.send() }
        if case .closed = state { return output.removeAll(keepingCapacity: true) }
        if let secure, !secure.seal(&output, on: context) { return close(abruptly: true) }
        guard !output.isEmpty || !unsent.isEmpty else { return }
        output.withUnsafeBytes(send)
        output.removeAll(keepingCapacity: true)
    }

    /// Sends what is there at the end of the loop's round, together with what the other connections have to send; at once
    /// where the connection does not simply go on.
    func post(_ output: inout [UInt8]) {
        guard goesOn, unsent.isEmpty else { return flush(&output) }
        if let secure, !secure.seal(&output, on: context) { return close(abruptly: true) }
        guard !output.isEmpty else { return }
        flags.insert(.isPosted)
        context.outbox.append(output, of: self)
        output.removeAll(keepingCapacity: true)
    }

    /// Whether the connection stays as it is once a step is over.
    private var goesOn: Bool {
        switch state {
        case .reading, .waiting, .streaming: true
        case .arrived, .promised, .answered, .leaving, .departing, .visiting, .lingering, .multiplexed, .closed: false
        }
    }

    /// Sends bytes that were posted.
    func sendPosted(_ bytes: UnsafeRawBufferPointer) {
        flags.remove(.isPosted)
        if case .closed = state { return }
        send(bytes)
        if !unsent.isEmpty { updateDeadline() }
    }

    private func send(_ bytes: UnsafeRawBufferPointer) {
        guard unsent.isEmpty else {
            unsent.append(contentsOf: bytes)
            return sendUnsent()
        }
        let sent = granary_send(descriptor, bytes.baseAddress, bytes.count)
        if sent == bytes.count { return }
        guard sent >= 0 || sent == -Int(EAGAIN) else { return close(abruptly: true) }
        unsent = Array(bytes[max(0, sent)...])
        unsentStart = 0
        awaitWriting()
    }

    private func sendUnsent() {
        let start = unsentStart
        let sent = unsent.withUnsafeBytes { bytes in
            granary_send(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
        }
        if sent == -Int(EAGAIN) { return awaitWriting() }
        guard sent >= 0 else { return close(abruptly: true) }
        unsentStart += sent
        // The peer has taken something: its time starts again.
        wait = .nothing
        if unsentStart == unsent.count {
            unsent = []
            unsentStart = 0
            // Reading and streaming have waited for this.
            context.loop.mark(self)
        } else {
            awaitWriting()
        }
    }

    /// Has the loop tell when the socket takes bytes again. Once asked for it stays so: a connection that was slow once
    /// will be again, and an edge comes only after the socket was full.
    func awaitWriting() {
        guard !flags.contains(.watchesWriting) else { return }
        flags.insert(.watchesWriting)
        context.loop.watch(self, for: Connection.watched | granary_writable)
    }
}

// The end of a connection.
extension Connection {
    /// Bytes of a peer that goes on sending that are dropped before it is cut off.
    private static let mostDropped = 1 << 20

    /// Closes our half once everything is sent, and reads on for a while: closing both at once while the peer is still
    /// sending makes its kernel throw away the answer that it has not read yet (RFC 9112 §9.6).
    func linger(_ output: inout [UInt8]) -> Bool {
        if !flags.contains(.hasFinishedSending) { secure?.close() }
        flush(&output)
        guard case .lingering = state, unsent.isEmpty else { return false }
        if !flags.contains(.hasFinishedSending) {
            flags.insert(.hasFinishedSending)
            dropInput()
            _ = granary_finish_sending(descriptor)
        }
        guard flags.contains(.canRead) else { return false }
        let received = granary_receive(descriptor, context.input.baseAddress, context.input.count)
        if received > 0 {
            dropped += received
            if dropped > Connection.mostDropped { close(abruptly: true) }
            return true
        }
        flags.remove(.canRead)
        if received != -Int(EAGAIN) { close() }
        return false
    }

    /// Tells one too many that the server is full.
    func turnAway() {
        var output = context.output.take()
        refuse(.serverFull, &output)
        flush(&output)
        context.output.recycle(&output)
        if case .closed = state { return }
        step()
    }
}
