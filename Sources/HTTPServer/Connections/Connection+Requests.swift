import HTTP1
import HTTP2
import HTTPModel
import TLS

// From bytes to requests, and to the responders.
extension Connection {
    /// Advances the current request by one piece of work. Returns whether there may be more to do.
    func readRequest(_ output: inout [UInt8]) -> Bool {
        input.load(into: worker.input)
        if state.awaitsFirstRequest, parser.phase == .idle {
            switch detectHTTP2() {
            case .present:
                state.http2WasDetected(Array(input.bytes(in: worker.input)))
                input.discard()
                return false
            case .undecided: return fill(&output)
            case .absent: break
            }
        }
        do throws(HTTP1Error) {
            if let message = try parse() {
                receive(message, &output)
                return true
            }
        } catch {
            refuse(error.problem, &output)
            return true
        }
        if parser.takeContinueExpectation() { HTTP1ResponseEncoder.encodeContinue(into: &output) }
        return fill(&output)
    }

    private func parse() throws(HTTP1Error) -> HTTP1Message? {
        guard !input.isWindowEmpty else { return nil }
        var bytes = input.bytes(in: worker.input)
        defer { input.consumed(leaving: bytes.count) }
        return try parser.parse(&bytes, peer: peer)
    }

    private func detectHTTP2() -> HTTP2Preface {
        if let secure = transport.secure {
            if secure.isHandshaking { return .undecided }
            // RFC 9113 §3.2: over TLS, the handshake decides. A preface without that negotiation is not valid HTTP/1.1
            // either.
            return secure.speaksHTTP2 ? .present : .absent
        }
        return worker.configuration.servesHTTP2 ? HTTP2Preface.recognize(input.bytes(in: worker.input)) : .absent
    }

    /// Reads from the socket once; returns whether there may be more to do.
    private func fill(_ output: inout [UInt8]) -> Bool {
        guard state.readiness.contains(.canRead) else { return false }
        let room = input.makeRoom(in: worker.input)
        let wasHandshaking = transport.isHandshaking
        let reading = transport.read(into: room)
        if wasHandshaking { handshakeAdvanced() }
        switch reading {
        case .received(let count, let socketIsEmpty):
            input.received(count)
            // The end of the client's side may have arrived together with the last bytes (RFC 8446 §6.1). It is read
            // next.
            if let secure = transport.secure, secure.hasPeerFinished {
                state.peerFinished()
            } else if socketIsEmpty {
                state.inputWasExhausted()
            }
            return true
        case .wouldBlock:
            state.inputWasBlocked()
            // In HTTP/2, both sides send a preface immediately. So the HTTP/2 connection takes over although the client
            // has sent nothing yet.
            return transport.hasAgreedOnHTTP2
        case .ended:
            if transport.isHandshaking { close() } else { end(&output) }
            return true
        case .failed:
            transport.secure?.sendAlert(to: descriptor, on: worker)
            close(abruptly: transport.secure == nil)
            return false
        }
    }

    private func handshakeAdvanced() {
        guard let secure = transport.secure, secure.isOpen, let certificate = secure.clientCertificate else { return }
        peer = HTTPPeer(
            address: peer.address, port: peer.port, certificateSubject: certificate.subject, role: peer.role,
            isByUnixSocket: peer.isByUnixSocket)
    }

    private func end(_ output: inout [UInt8]) {
        switch state.inputEnded(isBetweenRequests: parser.phase == .idle && input.isWindowEmpty) {
        case .none: break
        case .refuseTruncatedRequest: refuse(.truncatedRequest, &output)
        }
    }

    // Consuming, because a copy would retain each part of the message once more for each request.
    private func receive(_ received: consuming HTTP1Message, _ output: inout [UInt8]) {
        var message = received
        if transport.secure != nil { message.request.scheme = "https" }
        deadlines.restart()
        exchange = message.exchange
        if let refusal = worker.refusal(of: message.request, isSecure: transport.secure != nil) {
            state.requestArrived()
            return respond(refusal, &output)
        }
        if let index = worker.responder?.placement(of: message.request) {
            if index != worker.loop.index, worker.siblings.indices.contains(index) {
                return forward(message, to: index, &output)
            }
            state.requestBelongedHere()
        }
        state.requestArrived()
        ask(message, &output)
    }

    func ask(_ message: HTTP1Message, _ output: inout [UInt8]) {
        guard let responder = worker.responder else { return close(abruptly: true) }
        switch responder.respond(to: message.request) {
        case .response(let response): respond(response, &output)
        case .deferred(let promise): awaitResponse(of: promise)
        }
    }

    /// Awaits a promised response, on the loop whose responder promised it.
    func awaitResponse(of promise: DeferredResponse) {
        // Weak: a promise that is never fulfilled must not keep the connection, whose client may have left.
        promise.whenFulfilled { [weak self] response in
            switch self?.state.promiseWasFulfilled(response) {
            case .schedule: if let self { worker.loop.mark(self) }
            case .proceed: break
            case .discard, nil: if case .stream(let stream) = response.body { stream.stop() }
            }
        }
    }

    /// Responds to an unreadable request, after which the connection cannot continue.
    func refuse(_ problem: ProblemDetails, _ output: inout [UInt8]) {
        input.discard()
        // The default exchange does not keep the connection alive, because the start of the next request is unknown.
        exchange = HTTP1Exchange()
        respond(problem.response, &output)
    }
}
