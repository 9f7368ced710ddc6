import CLinux
import Glibc
import HTTP1
import HTTP2
import HTTPModel

// From bytes to requests.
extension Connection {
    /// Gets one request a step further; answers whether there may be more to do.
    func readRequest(_ output: inout [UInt8]) -> Bool {
        loadWindow()
        if flags.contains(.isFresh), parser.phase == .idle {
            switch protocolOfFirstBytes() {
            case .present: return becomeMultiplexed()
            case .undecided: return fillWindow(&output)
            case .absent: break
            }
        }
        do throws(HTTP1Error) {
            if let message = try parseWindow() {
                receive(message, &output)
                return true
            }
        } catch {
            refuse(error.problem, &output)
            return true
        }
        if parser.takeContinueExpectation() { HTTP1ResponseEncoder.encodeContinue(into: &output) }
        return fillWindow(&output)
    }

    private func parseWindow() throws(HTTP1Error) -> HTTP1Message? {
        guard !window.isEmpty else { return nil }
        var bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(context.input)[window])
        defer { window = (window.upperBound - bytes.count)..<window.upperBound }
        return try parser.parse(&bytes, peer: peer)
    }

    /// Reads what the socket has behind what is in the window; answers whether something came.
    private func fillWindow(_ output: inout [UInt8]) -> Bool {
        guard flags.contains(.canRead) else { return false }
        makeRoom()
        let room = context.input.count - window.upperBound
        if let secure { return fillWindow(through: secure, &output) }
        let received = granary_receive(descriptor, context.input.baseAddress?.advanced(by: window.upperBound), room)
        if received > 0 {
            window = window.lowerBound..<(window.upperBound + received)
            if received < room { socketWasEmptied() }
            return true
        }
        flags.remove(.canRead)
        switch received {
        case 0: peerEnded(&output)
        case Int(-EAGAIN): break
        default: close(abruptly: true)
        }
        return true
    }

    /// Less came than was asked for: the next byte is a new event. This does not hold for the end, which is reported once,
    /// and for what is behind urgent data.
    func socketWasEmptied() {
        if flags.isDisjoint(with: [.peerFinished, .urgent]) { flags.remove(.canRead) }
    }

    func peerEnded(_ output: inout [UInt8]) {
        flags.insert(.peerFinished)
        if parser.phase == .idle && window.isEmpty {
            // Nothing is under way; what has been answered is still sent.
            exchange.keepsAlive = false
            state = .lingering
        } else {
            refuse(.truncatedRequest, &output)
        }
    }

    // The window: the part of the loop's buffer that is this connection's during a step.

    private func loadWindow() {
        guard !flags.contains(.hasWindow) else { return }
        flags.insert(.hasWindow)
        window = 0..<leftover.count
        guard !leftover.isEmpty else { return }
        context.input.copyBytes(from: leftover)
        leftover = []
    }

    /// Moves the window to the buffer's front where there is little room behind it.
    private func makeRoom() {
        if window.isEmpty {
            window = 0..<0
        } else if context.input.count - window.upperBound < context.input.count / 2 {
            let kept = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(context.input)[window])
            context.input.copyMemory(from: kept)
            window = 0..<kept.count
        }
    }

    /// Keeps what is left in the window; the buffer is another connection's next.
    func keepWindow() {
        guard flags.contains(.hasWindow) else { return }
        flags.remove(.hasWindow)
        if !window.isEmpty { leftover = Array(context.input[window]) }
        window = 0..<0
    }

    /// Forgets what was read and not taken.
    func dropInput() {
        leftover = []
        window = 0..<0
    }
}

// From requests to answers.
extension Connection {
    /// Takes the message over: a copy would cost a reference more to each of its parts, with every request.
    private func receive(_ received: consuming HTTP1Message, _ output: inout [UInt8]) {
        var message = received
        if secure != nil { message.request.scheme = "https" }
        wait = .nothing
        exchange = message.exchange
        if let refusal = context.refusal(of: message.request, isSecure: secure != nil) {
            flags.remove(.isFresh)
            return begin(refusal, &output)
        }
        if let index = context.responder?.placement(of: message.request) {
            if index != context.loop.index, context.siblings.indices.contains(index) {
                return seek(context.siblings[index], message, &output)
            }
            visits = 0
        }
        flags.remove(.isFresh)
        state = .waiting
        ask(message, &output)
    }

    func ask(_ message: HTTP1Message, _ output: inout [UInt8]) {
        guard let responder = context.responder else { return close(abruptly: true) }
        switch responder.respond(to: message.request) {
        case .response(let response): begin(response, &output)
        case .deferred(let promise): hear(promise)
        }
    }

    /// Waits for a promised answer, on the loop on which it was promised.
    func hear(_ promise: DeferredResponse) {
        promise.whenFulfilled { [weak self] response in
            if let self, case .waiting = state {
                fulfil(response)
            } else if case .stream(let stream) = response.body {
                stream.stop()
            }
        }
    }

    private func fulfil(_ response: HTTPResponse) {
        state = .answered(response)
        if !flags.contains(.isStepping) { context.loop.mark(self) }
    }

    /// Answers a request that cannot be read, after which the connection cannot go on.
    func refuse(_ problem: ProblemDetails, _ output: inout [UInt8]) {
        dropInput()
        exchange = HTTP1Exchange()
        begin(problem.response, &output)
    }
}
