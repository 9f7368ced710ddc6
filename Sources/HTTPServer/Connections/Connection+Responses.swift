import HTTP1
import HTTPModel

// From responses to bytes.
extension Connection {
    /// Writes a response's head, and its content if that is known and small.
    func respond(_ response: HTTPResponse, _ output: inout [UInt8]) {
        let framing = encode(response, on: worker, contentLimit: StreamedBody.copyLimit, &output)
        guard let body = StreamedBody(of: response, framing) else { return endResponse(on: worker) }
        switch state.bodyBegan(body) {
        case .start: return body.stream.start(self)
        case .discard: break
        // Without trailers, which the stream provides only at its end.
        case .end: body.appendEnd(takesTrailers: false, to: &output)
        }
        body.stream.stop()
        endResponse(on: worker)
    }

    /// Appends the available part of a response, on the loop whose responder created it.
    func encode(
        _ response: HTTPResponse, on loop: ServerLoop, contentLimit: Int = .max, _ output: inout [UInt8]
    ) -> HTTP1BodyFraming {
        guard transport.secure != nil else {
            return loop.encode(response, for: &exchange, contentLimit: contentLimit, &output)
        }
        // Copied only in this case, because a copy retains each part of the response, and responses in cleartext do not
        // need it.
        var response = response
        loop.addSecurityFields(to: &response, for: peer)
        return loop.encode(response, for: &exchange, contentLimit: contentLimit, &output)
    }

    func endResponse(on loop: ServerLoop) {
        // A stream may have begun before the loop was drained.
        state.responseEnded(keepsAlive: exchange.keepsAlive && !loop.isDraining)
    }

    /// Reads a part of the content that is being sent. Returns whether there may be more to do.
    func readBody(_ output: inout [UInt8]) -> Bool {
        guard let body = state.bodyReadBegan() else { return false }
        // There are bytes to send, so the wait for content starts again.
        deadlines.restart()
        let progress = body.read(into: &output, limit: worker.configuration.streamReadBytes)
        switch state.bodyWasRead(progress) {
        case .pause: return false
        case .readAgain: break
        case .flush: flush(&output)
        case .end:
            body.appendEnd(takesTrailers: exchange.takesTrailers, to: &output)
            endResponse(on: worker)
        }
        return true
    }

    /// Sends the bytes immediately and stores those that the socket does not accept.
    func flush(_ output: inout [UInt8]) {
        // Bytes that were posted earlier come first.
        if isPosted { worker.outbox.send() }
        if state.isClosed { return output.removeAll(keepingCapacity: true) }
        settle(transport.write(&output, on: worker))
        output.removeAll(keepingCapacity: true)
    }

    /// Sends the bytes at the end of the loop's round, together with those of other connections. Sends them immediately
    /// if the connection may be closed or may have left the loop by then.
    func post(_ output: inout [UInt8]) {
        guard state.sendsAtEndOfRound, transport.unsent.isEmpty else { return flush(&output) }
        guard transport.seal(&output, on: worker) else { return close(abruptly: true) }
        guard !output.isEmpty else { return }
        isPosted = true
        worker.outbox.append(output, of: self)
        output.removeAll(keepingCapacity: true)
    }

    /// Sends the posted bytes.
    func sendPosted(_ bytes: UnsafeRawBufferPointer) {
        isPosted = false
        if state.isClosed { return }
        settle(transport.unsent.send(bytes, to: descriptor))
        if !transport.unsent.isEmpty { updateDeadline() }
    }

    private func settle(_ outcome: UnsentBytes.Outcome) {
        switch outcome {
        case .sent: break
        case .blocked: watchWriting()
        case .failed: close(abruptly: true)
        case .advanced:
            // The peer has read something, so its time starts again.
            deadlines.restart()
            watchWriting()
        case .drained:
            deadlines.restart()
            // Reading and streaming were paused until the bytes were sent.
            worker.loop.mark(self)
        }
    }

    func watchWriting() {
        if transport.unsent.watch() { worker.loop.watch(self, for: transport.watchedEvents) }
    }
}
