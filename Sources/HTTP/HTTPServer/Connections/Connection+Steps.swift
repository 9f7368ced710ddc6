import HTTP1
import HTTPModel

// Reads requests from the bytes of a connection, and writes responses.
extension Connection {
    /// Performs as much work as possible, then sends the written bytes with one system call.
    func step() {
        // Retained once for the whole step, instead of for each use. The connection leaves the loop at the end of the step.
        let serverLoop = serverLoop
        state.stepBegan()
        var output = serverLoop.output.take()
        var budget = StepBudget.requests
        while proceed(&output, &budget, on: serverLoop) {}
        reader.stepEnded(serverLoop.input)
        post(&output, on: serverLoop)
        serverLoop.output.recycle(&output)
        switch state.stepEnded(canSend: transport.unsent.isEmpty) {
        case .none: break
        case .upgrade: ConnectionHandOff(connection: self).upgrade()
        case .leave: ConnectionHandOff(connection: self).leave()
        case .wait: updateDeadline(on: serverLoop)
        case .yield:
            serverLoop.loop.yield(self)
            updateDeadline(on: serverLoop)
        }
    }

    /// Performs one piece of work. Returns whether there may be more to do.
    private func proceed(_ output: inout [UInt8], _ budget: inout StepBudget, on serverLoop: ServerLoop) -> Bool {
        switch state.next(canSend: transport.unsent.isEmpty) {
        case .readRequest:
            return budget.take(on: serverLoop.loop, for: &state) && readRequest(&output, &budget, on: serverLoop)
        case .readBody: return budget.take(on: serverLoop.loop, for: &state) && readBody(&output, on: serverLoop)
        case .linger: return linger(&output, on: serverLoop)
        case .pause: return false
        case .askResponder: if let message = state.takeRequest() { serverLoop.ask(message, of: self, &output) }
        case .respond: if let answer = state.takeResponse() { send(answer, &output, on: serverLoop) }
        }
        return true
    }

    /// Advances the current request by one piece of work. Returns whether there may be more to do.
    private func readRequest(_ output: inout [UInt8], _ budget: inout StepBudget, on serverLoop: ServerLoop) -> Bool {
        switch reader.next(in: serverLoop.input, isFirst: state.awaitsFirstRequest, over: transport.secure) {
        case .message(let message):
            receive(message, &output, on: serverLoop)
            if reader.hasUnparsedInput { budget.measure() }
        case .refused(let error): refuse(error.problem)
        case .http2(let bytes): state.http2WasDetected(bytes)
        case .starved(let expectsContinue):
            if expectsContinue { HTTP1ResponseEncoder.encodeContinue(into: &output) }
            guard state.readiness.contains(.canRead) else { return false }
            return perform(state.inputWasRead(reader.read(into: serverLoop.input, from: &transport)))
        }
        return true
    }

    // Consuming, because a copy would retain each part of the message once more for each request.
    private func receive(_ message: consuming HTTP1Message, _ output: inout [UInt8], on serverLoop: ServerLoop) {
        if transport.isSecure { message.request.scheme = "https" }
        deadlines.restart()
        exchange = message.exchange
        serverLoop.answer(message, of: self, &output)
    }

    /// Performs the action after a read. Returns whether there may be more to do.
    private func perform(_ action: ConnectionState.ReadAction) -> Bool {
        switch action {
        case .proceed: break
        case .pause: return false
        case .refuseTruncatedRequest: refuse(.truncatedRequest)
        case .close(let abruptly): close(abruptly: abruptly)
        case .fail:
            transport.sendAlert(on: serverLoop)
            close(abruptly: transport.secure == nil)
        }
        return true
    }

    /// Makes the current or next step respond to an unreadable request, after which the connection cannot continue.
    func refuse(_ problem: ProblemDetails) {
        var response = problem.response
        let fields = reader.fieldsOfRefused(in: serverLoop.input)
        serverLoop.responder?.addPolicyFields(to: &response, for: fields, from: reader.peer)
        // It does not keep the connection alive, because the start of the next request is unknown.
        exchange = HTTP1Exchange(isHead: reader.isHead)
        reader.discard()
        state.resume(with: .response(response))
    }

    /// Sends a response, or awaits it on the loop whose responder promised it.
    func send(_ answer: HTTPAnswer, _ output: inout [UInt8], on serverLoop: ServerLoop) {
        switch answer {
        case .response(let response): respond(response, &output, on: serverLoop)
        case .deferred(let promise): promise.whenFulfilled(for: reference)
        }
    }

    /// Writes a response's head, and its content if that is known and small.
    func respond(_ response: HTTPResponse, _ output: inout [UInt8], on serverLoop: ServerLoop) {
        let framing = serverLoop.encode(
            response, for: &exchange, to: reader.peer, isSecure: transport.isSecure,
            contentLimit: StreamedBody.copyLimit, &output)
        guard let body = StreamedBody(of: response, framing) else { return endResponse(on: serverLoop) }
        switch state.bodyBegan(body) {
        case .start: return body.stream.start(self)
        case .discard: break
        // Without trailers, which the stream provides only at its end.
        case .end: body.appendEnd(takesTrailers: false, to: &output)
        }
        body.stream.stop()
        endResponse(on: serverLoop)
    }

    private func endResponse(on serverLoop: ServerLoop) {
        state.responseEnded(exchange, isDraining: serverLoop.isDraining)
    }

    /// Reads a part of the content that is being sent. Returns whether there may be more to do.
    private func readBody(_ output: inout [UInt8], on serverLoop: ServerLoop) -> Bool {
        guard let body = state.bodyReadBegan() else { return false }
        // There are bytes to send, so the wait for content starts again.
        deadlines.restart()
        let progress = body.read(into: &output, limit: serverLoop.configuration.streamReadBytes)
        switch state.bodyWasRead(progress) {
        case .pause: return false
        case .readAgain: break
        case .flush: flush(&output, on: serverLoop)
        case .end:
            body.appendEnd(takesTrailers: exchange.takesTrailers, to: &output)
            endResponse(on: serverLoop)
        }
        return true
    }

    /// Sends the last response, closes the sending side, and discards all further bytes of the peer.
    private func linger(_ output: inout [UInt8], on serverLoop: ServerLoop) -> Bool {
        // The `close_notify` goes into the same packet as the response before it.
        if state.lingering?.hasFinishedSending == false { transport.secure?.close() }
        flush(&output, on: serverLoop)
        guard state.lingering != nil, transport.unsent.isEmpty else { return false }
        if state.lingeringOutputWasSent() {
            reader.discard()
            transport.finishSending()
        }
        guard state.readiness.contains(.canRead) else { return false }
        // Reads the bytes without decrypting them, because they are discarded.
        return perform(state.lingeringInputWasRead(.receive(from: descriptor, into: serverLoop.input)))
    }

    /// Sends the bytes immediately and stores those that the socket does not accept.
    private func flush(_ output: inout [UInt8], on serverLoop: ServerLoop) {
        // Bytes that were posted earlier come first.
        if transport.isPosted { serverLoop.outbox.send() }
        if !state.isClosed { settle(transport.write(&output, on: serverLoop)) }
        output.removeAll(keepingCapacity: true)
    }

    /// Sends the bytes at the end of the loop's round, together with those of other connections. Sends them immediately
    /// if the connection may be closed or may have left the loop by then.
    private func post(_ output: inout [UInt8], on serverLoop: ServerLoop) {
        guard state.sendsAtEndOfRound, transport.unsent.isEmpty else { return flush(&output, on: serverLoop) }
        guard transport.seal(&output, on: serverLoop) else { return close(abruptly: true) }
        serverLoop.outbox.append(&output, of: self)
    }

    func settle(_ outcome: UnsentBytes.Outcome) {
        // Checked first, because most writes end here and accessing the loop would retain it.
        if outcome != .sent, !transport.settle(outcome, of: self, &deadlines, on: serverLoop.loop) {
            close(abruptly: true)
        }
    }
}
