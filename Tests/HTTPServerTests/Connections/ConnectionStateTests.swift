import HTTP1
import HTTPModel
import HTTPServerTesting
import Testing

@testable import HTTPServer

/// Events and actions as literals: no socket, no loop, no time.
@Suite struct ConnectionStateTests {
    private static func message(_ target: String = "/") throws -> HTTP1Message {
        var parser = HTTP1RequestParser(limits: HTTP1Limits())
        let text = Array("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        return try #require(
            try text.withUnsafeBytes { buffer in
                var bytes = buffer
                return try parser.parse(&bytes, peer: .unknown)
            })
    }

    private static func body(_ framing: HTTP1BodyFraming = .chunked, sendsEvents: Bool = false) -> StreamedBody {
        StreamedBody(stream: HTTPTestStream(), framing: framing, sendsEvents: sendsEvents)
    }

    /// A connection that sends content a part at a time.
    private static func streaming(sendsEvents: Bool = false) -> ConnectionState {
        var state = ConnectionState()
        state.requestArrived()
        _ = state.bodyBegan(body(sendsEvents: sendsEvents))
        return state
    }

    /// A connection that has answered a request and waits for another.
    private static func resting() -> ConnectionState {
        var state = ConnectionState()
        state.requestArrived()
        state.responseEnded(HTTP1Exchange(keepsAlive: true), isDraining: false)
        return state
    }

    private static func lingering() -> ConnectionState {
        var state = ConnectionState()
        state.responseEnded(HTTP1Exchange(), isDraining: false)
        return state
    }

    // Steps

    @Test func `a new connection reads its first request`() {
        let state = ConnectionState()
        #expect(state.awaitsFirstRequest && state.isReading)
        #expect(state.next(canSend: true) == .readRequest)
    }

    @Test func `a peer that does not read its responses is not read either`() {
        #expect(ConnectionState().next(canSend: false) == .pause)
        #expect(ConnectionStateTests.streaming().next(canSend: false) == .pause)
    }

    @Test func `a step that has used up its budget is followed by another one`() {
        var state = ConnectionState()
        state.stepBegan()
        state.budgetWasExhausted()
        #expect(state.stepEnded(canSend: true) == .yield)
        #expect(state.progress == .yielding)
        state.stepBegan()
        #expect(state.stepEnded(canSend: true) == .wait)
        #expect(state.progress == .idle)
    }

    @Test func `a step that has used up its budget waits for the socket first`() {
        var state = ConnectionState()
        state.stepBegan()
        state.budgetWasExhausted()
        #expect(state.stepEnded(canSend: false) == .wait)
    }

    @Test func `only what stays on its loop sends at the end of the round`() throws {
        #expect(ConnectionState().sendsAtEndOfRound)
        #expect(ConnectionStateTests.streaming().sendsAtEndOfRound)
        #expect(!ConnectionStateTests.lingering().sendsAtEndOfRound)
        var state = ConnectionState()
        state.requestArrived(try ConnectionStateTests.message(), forLoop: 1)
        #expect(!state.sendsAtEndOfRound)
    }

    // Sockets

    @Test func `a failed socket is closed abruptly`() {
        var state = ConnectionState()
        #expect(state.socketBecameReady([.readable, .failed]) == .abort)
        #expect(state.readiness.isEmpty)
    }

    @Test func `a short read ends reading until the next event`() {
        var state = ConnectionState()
        #expect(state.socketBecameReady(.readable) == .step)
        #expect(state.inputWasRead(.bytes) == .proceed)
        #expect(state.readiness == .canRead)
        #expect(state.inputWasRead(.allBytes) == .proceed)
        #expect(state.readiness.isEmpty)
    }

    @Test(arguments: [SocketEvents.peerFinished, .urgent])
    func `a short read shows nothing before an end or urgent data`(_ event: SocketEvents) {
        var state = ConnectionState()
        _ = state.socketBecameReady([.readable, event])
        #expect(state.inputWasRead(.allBytes) == .proceed)
        #expect(state.readiness.contains(.canRead))
        #expect(state.inputWasRead(.nothing) == .pause)
        #expect(!state.readiness.contains(.canRead))
    }

    @Test func `a short read shows nothing before an end that TLS has reported`() {
        var state = ConnectionState()
        _ = state.socketBecameReady(.readable)
        #expect(state.inputWasRead(.lastBytes) == .proceed)
        #expect(state.inputWasRead(.allBytes) == .proceed)
        #expect(state.readiness == [.canRead, .peerFinished])
    }

    @Test func `a client that has agreed on HTTP2 is served before its first byte`() {
        var state = ConnectionState()
        _ = state.socketBecameReady(.readable)
        #expect(state.inputWasRead(.http2) == .proceed)
        #expect(state.readiness.isEmpty)
    }

    @Test func `a handshake that ends is closed, and a failure is reported to the peer`() {
        var state = ConnectionState()
        #expect(state.inputWasRead(.endOfHandshake) == .close(abruptly: false))
        #expect(state.inputWasRead(.failure) == .fail)
        #expect(state.isReading)
    }

    @Test(arguments: [
        (false, SocketEvents.peerFinished, ConnectionState.SocketAction.step), (true, .peerFinished, .close),
    ])
    func `a client that closes its side still gets content, but no events`(
        _ sendsEvents: Bool, _ event: SocketEvents, _ action: ConnectionState.SocketAction
    ) {
        var state = ConnectionStateTests.streaming(sendsEvents: sendsEvents)
        #expect(state.socketBecameReady(event) == action)
    }

    @Test func `a client that reads no more gets no content`() {
        var state = ConnectionStateTests.streaming()
        #expect(state.socketBecameReady(.hungUp) == .close)
    }

    @Test func `an end between two requests is an orderly one`() {
        var state = ConnectionStateTests.resting()
        #expect(state.inputWasRead(.end(isBetweenRequests: true)) == .proceed)
        #expect(state.lingering == Lingering())
        #expect(state.next(canSend: true) == .linger)
    }

    @Test func `an end inside a request is refused`() {
        var state = ConnectionState()
        _ = state.socketBecameReady(.readable)
        #expect(state.inputWasRead(.end(isBetweenRequests: false)) == .refuseTruncatedRequest)
        #expect(state.isReading && state.readiness == .peerFinished)
    }

    // Responses

    @Test func `a promised response is sent by the next step`() throws {
        var state = ConnectionState()
        state.requestArrived()
        #expect(state.next(canSend: true) == .pause)
        #expect(state.promiseWasFulfilled(HTTPResponse(status: .ok)) == .schedule)
        #expect(state.next(canSend: false) == .respond)
        guard case .response(let response) = state.takeResponse() else { throw Unexpected() }
        #expect(response.status == .ok)
    }

    @Test func `a response that another loop has promised is sent from here, and a stream from there`() throws {
        var state = ConnectionState()
        state.requestArrived()
        #expect(state.promiseWasFulfilled(HTTPResponse(status: .ok), onLoop: 1) == .schedule)
        #expect(state.next(canSend: true) == .respond)
        var other = ConnectionState()
        other.requestArrived()
        let stream = HTTPResponse(status: .ok, body: .stream(HTTPTestStream()))
        #expect(other.promiseWasFulfilled(stream, onLoop: 1) == .schedule)
        guard case .move(toLoop: 1) = other.leave(canSend: true) else { throw Unexpected() }
    }

    @Test func `a promise that is fulfilled inside a step is sent by that step`() {
        var state = ConnectionState()
        state.requestArrived()
        state.stepBegan()
        #expect(state.promiseWasFulfilled(HTTPResponse(status: .ok)) == .proceed)
    }

    @Test func `a promise that nobody waits for is discarded`() {
        var state = ConnectionState()
        #expect(state.promiseWasFulfilled(HTTPResponse(status: .ok)) == .discard)
        state.requestArrived()
        _ = state.close()
        #expect(state.promiseWasFulfilled(HTTPResponse(status: .ok)) == .discard)
    }

    @Test func `content is read as long as there is more`() throws {
        var state = ConnectionStateTests.streaming()
        state.stepBegan()
        #expect(state.next(canSend: true) == .readBody)
        let body = state.bodyReadBegan()
        #expect(body != nil)
        #expect(state.bodyWasRead(.more) == .flush)
        #expect(state.next(canSend: true) == .readBody)
        _ = state.bodyReadBegan()
        #expect(state.bodyWasRead(.waiting) == .pause)
        #expect(state.next(canSend: true) == .pause)
        #expect(state.bodyBecameReady() == false)
        _ = state.stepEnded(canSend: true)
        #expect(state.bodyBecameReady() == true)
        _ = state.bodyReadBegan()
        #expect(state.bodyWasRead(.finished) == .end)
    }

    @Test func `content that is announced while it is read is read again`() {
        var state = ConnectionStateTests.streaming()
        _ = state.bodyReadBegan()
        _ = state.bodyBecameReady()
        #expect(state.bodyWasRead(.waiting) == .readAgain)
    }

    @Test func `content that nobody may receive is not begun`() {
        var state = ConnectionState()
        #expect(state.bodyBegan(ConnectionStateTests.body(.none)) == .discard)
        _ = state.socketBecameReady(.peerFinished)
        #expect(state.bodyBegan(ConnectionStateTests.body(sendsEvents: true)) == .end)
        #expect(state.bodyBegan(ConnectionStateTests.body()) == .start)
    }

    @Test func `content that is announced after its end starts nothing`() {
        var state = ConnectionStateTests.streaming()
        state.responseEnded(HTTP1Exchange(keepsAlive: true), isDraining: false)
        #expect(state.bodyBecameReady() == false)
        #expect(state.isReading && !state.awaitsFirstRequest)
    }

    // The end

    @Test func `a drain closes what rests, and gives a new connection time`() {
        #expect(ConnectionState().drainBegan(isIdle: true) == .awaitFirstRequest)
        #expect(ConnectionStateTests.resting().drainBegan(isIdle: true) == .readOnce)
        #expect(ConnectionStateTests.resting().drainBegan(isIdle: false) == .none)
        #expect(ConnectionStateTests.streaming().drainBegan(isIdle: true) == .none)
    }

    @Test func `the sending side is closed once`() {
        var state = ConnectionStateTests.lingering()
        #expect(state.lingeringOutputWasSent() == true)
        #expect(state.lingeringOutputWasSent() == false)
        #expect(state.lingering?.hasFinishedSending == true)
    }

    @Test func `a peer that does not stop sending is cut off`() {
        var state = ConnectionStateTests.lingering()
        let most = SocketReading.received(Lingering.discardLimit, socketIsEmpty: true)
        #expect(state.lingeringInputWasRead(most) == .proceed)
        #expect(state.lingeringInputWasRead(.received(1, socketIsEmpty: true)) == .close(abruptly: true))
    }

    @Test func `a peer that has sent everything is closed`() {
        var state = ConnectionStateTests.lingering()
        _ = state.socketBecameReady(.readable)
        #expect(state.lingeringInputWasRead(.wouldBlock) == .pause)
        #expect(state.readiness.isEmpty)
        #expect(state.lingeringInputWasRead(.ended) == .close(abruptly: false))
        #expect(state.lingeringInputWasRead(.failed) == .close(abruptly: false))
        _ = state.close()
        #expect(state.lingeringInputWasRead(.ended) == .pause)
    }

    @Test func `a connection is not kept alive when its loop drains`() {
        var state = ConnectionState()
        state.responseEnded(HTTP1Exchange(keepsAlive: true), isDraining: true)
        #expect(state.lingering == Lingering())
    }

    @Test func `a connection is closed once, with the content that it sends`() throws {
        var state = ConnectionStateTests.streaming()
        guard case .close(canSend: true, body: .some) = state.close() else { throw Unexpected() }
        #expect(state.isClosed)
        guard case .none = state.close() else { throw Unexpected() }
        #expect(state.next(canSend: true) == .pause)
        #expect(state.stepEnded(canSend: true) == .none)
    }

    @Test func `a connection that has closed its sending side sends no goodbye`() throws {
        var state = ConnectionStateTests.lingering()
        _ = state.lingeringOutputWasSent()
        guard case .close(canSend: false, body: nil) = state.close() else { throw Unexpected() }
    }

    @Test func `a connection that is upgraded is closed without its socket`() throws {
        var state = ConnectionState()
        state.http2WasDetected([1, 2])
        #expect(state.stepEnded(canSend: true) == .upgrade)
        #expect(state.takeUpgrade() == [1, 2])
        #expect(state.takeUpgrade() == nil)
        #expect(state.isClosed)
    }

    // Other loops

    @Test func `the first request for another loop moves the connection`() throws {
        var state = ConnectionState()
        state.requestArrived(try ConnectionStateTests.message(), forLoop: 1)
        #expect(state.stepEnded(canSend: true) == .leave)
        guard case .move(toLoop: 1) = state.leave(canSend: true) else { throw Unexpected() }
        #expect(state.next(canSend: true) == .askResponder)
        let message = state.takeRequest()
        #expect(message?.request.target == "/")
        guard state.takeRequest() == nil else { throw Unexpected() }
    }

    @Test func `a later request for another loop lends the connection, the eighth in a row moves it`() throws {
        var state = ConnectionStateTests.resting()
        for _ in 1..<LoopAffinity.requestsBeforeMoving {
            state.requestArrived(try ConnectionStateTests.message(), forLoop: 1)
            guard case .lend(_, toLoop: 1) = state.leave(canSend: true) else { throw Unexpected() }
            #expect(state.next(canSend: true) == .pause)
            state.responseEnded(HTTP1Exchange(keepsAlive: true), isDraining: false)
        }
        state.requestArrived(try ConnectionStateTests.message(), forLoop: 1)
        guard case .move(toLoop: 1) = state.leave(canSend: true) else { throw Unexpected() }
    }

    @Test func `requests for several loops never move the connection`() throws {
        var state = ConnectionStateTests.resting()
        for number in 0..<40 {
            state.requestArrived(try ConnectionStateTests.message(), forLoop: number % 2)
            guard case .lend = state.leave(canSend: true) else { throw Unexpected() }
            state.responseEnded(HTTP1Exchange(keepsAlive: true), isDraining: false)
        }
        for _ in 0..<40 {
            state.requestArrived(try ConnectionStateTests.message(), forLoop: 0)
            guard case .lend = state.leave(canSend: true) else { throw Unexpected() }
            state.responseEnded(HTTP1Exchange(keepsAlive: true), isDraining: false)
            state.requestBelongedHere()
        }
    }

    @Test func `a connection with unsent bytes is not lent`() throws {
        var state = ConnectionStateTests.resting()
        state.requestArrived(try ConnectionStateTests.message(), forLoop: 1)
        guard case .move = state.leave(canSend: false) else { throw Unexpected() }
    }

    @Test func `a response of another loop moves the connection there`() throws {
        var state = ConnectionStateTests.resting()
        _ = state.socketBecameReady(.readable)
        state.responseArrived(.response(HTTPResponse(status: .ok)), onLoop: 3)
        guard case .move(toLoop: 3) = state.leave(canSend: true) else { throw Unexpected() }
        state.leftEpollSet()
        #expect(state.readiness.isEmpty)
        #expect(state.next(canSend: true) == .respond)
    }

    // Waits

    @Test func `what is awaited follows from the phase and what has arrived`() {
        typealias Circumstances = ConnectionState.Circumstances
        let (new, resting) = (ConnectionState(), ConnectionStateTests.resting())
        #expect(new.wait(Circumstances()) == .firstRequest)
        #expect(resting.wait(Circumstances()) == .nextRequest)
        #expect(resting.wait(Circumstances(hasInput: true)) == .head)
        #expect(resting.wait(Circumstances(parserPhase: .head)) == .head)
        #expect(resting.wait(Circumstances(parserPhase: .body)) == .body)
        #expect(new.wait(Circumstances(isHandshaking: true)) == .handshake)
        #expect(new.wait(Circumstances(hasUnsentBytes: true)) == .write)
        #expect(ConnectionStateTests.lingering().wait(Circumstances()) == .linger)
        var streaming = ConnectionStateTests.streaming()
        #expect(streaming.wait(Circumstances()) == .none)
        _ = streaming.socketBecameReady(.peerFinished)
        #expect(streaming.wait(Circumstances()) == .content)
    }

    private struct Unexpected: Error {}
}
