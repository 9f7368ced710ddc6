import Testing

@testable import HTTPServer

/// Events and actions as literals: no socket, no engine, no time.
@Suite struct MultiplexedStateTests {
    private static func lingering() -> MultiplexedState {
        var state = MultiplexedState()
        state.lingeringBegan()
        return state
    }

    private static func ended() -> MultiplexedState {
        var state = MultiplexedState()
        _ = state.inputWasRead(.ended, peerHasFinished: false)
        return state
    }

    private func received(_ count: Int, socketIsEmpty: Bool = false) -> SocketReading {
        .received(count, socketIsEmpty: socketIsEmpty)
    }

    // Steps

    @Test func `a step begins once, and not after the end`() {
        var state = MultiplexedState()
        #expect(state.stepBegan() == true)
        #expect(state.stepBegan() == false)
        #expect(state.stepEnded(canSend: true, isDrained: false, isFinished: false) == .wait)
        #expect(state.stepBegan() == true)
        #expect(state.close() == true)
        #expect(state.stepEnded(canSend: true, isDrained: true, isFinished: true) == .none)
        #expect(state.stepBegan() == false)
        #expect(state.close() == false)
    }

    @Test func `a step that has used up its budget is followed by another one`() {
        var state = MultiplexedState()
        _ = state.stepBegan()
        state.budgetWasExhausted()
        _ = state.stepEnded(canSend: true, isDrained: false, isFinished: false)
        #expect(state.continuation(canSend: true, hasOutput: true) == .yield)
        #expect(state.continuation(canSend: false, hasOutput: true) == .none)
        #expect(state.socketBecameReady(.readable, isMarked: true) == .none)
        #expect(state.socketBecameReady(.readable, isMarked: false) == .step)
    }

    @Test func `output that was created meanwhile is written in the next step`() {
        let state = MultiplexedState()
        #expect(state.continuation(canSend: true, hasOutput: true) == .mark)
        #expect(state.continuation(canSend: true, hasOutput: false) == .none)
        #expect(state.continuation(canSend: false, hasOutput: true) == .none)
    }

    @Test func `a client that has closed its side is closed when it has all responses`() {
        var state = MultiplexedStateTests.ended()
        #expect(state.stepEnded(canSend: false, isDrained: true, isFinished: false) == .wait)
        #expect(state.stepEnded(canSend: true, isDrained: false, isFinished: false) == .wait)
        #expect(state.stepEnded(canSend: true, isDrained: true, isFinished: false) == .close)
        var open = MultiplexedState()
        #expect(open.stepEnded(canSend: true, isDrained: true, isFinished: false) == .wait)
    }

    @Test func `a finished connection lingers once all bytes are sent`() {
        var state = MultiplexedState()
        #expect(state.stepEnded(canSend: false, isDrained: false, isFinished: true) == .wait)
        #expect(state.stepEnded(canSend: true, isDrained: false, isFinished: true) == .linger)
        state.lingeringBegan()
        #expect(state.stepEnded(canSend: true, isDrained: false, isFinished: true) == .wait)
    }

    @Test func `what is awaited follows from the phase`() {
        let state = MultiplexedState()
        #expect(state.wait(canSend: false, awaitsContent: false) == .write)
        #expect(state.wait(canSend: true, awaitsContent: true) == .none)
        #expect(MultiplexedStateTests.lingering().wait(canSend: true, awaitsContent: true) == .linger)
        #expect(MultiplexedStateTests.ended().wait(canSend: true, awaitsContent: true) == .content)
        #expect(MultiplexedStateTests.ended().wait(canSend: true, awaitsContent: false) == .none)
    }

    // The socket

    @Test func `a failed socket is closed abruptly`() {
        var state = MultiplexedState()
        #expect(state.socketBecameReady([.readable, .failed], isMarked: false) == .abort)
        #expect(state.inputWasRead(.failed, peerHasFinished: false) == .close(abruptly: true))
    }

    @Test func `a short read ends reading until the next event`() {
        var state = MultiplexedState()
        #expect(state.inputWasRead(received(5), peerHasFinished: false) == .process)
        #expect(state.canRead)
        #expect(state.inputWasRead(received(5, socketIsEmpty: true), peerHasFinished: false) == .process)
        #expect(!state.canRead)
        _ = state.socketBecameReady(.readable, isMarked: false)
        #expect(state.inputWasRead(received(0), peerHasFinished: false) == .pause)
        #expect(!state.canRead)
        _ = state.socketBecameReady(.readable, isMarked: false)
        #expect(state.inputWasRead(.wouldBlock, peerHasFinished: false) == .pause)
        #expect(!state.canRead)
    }

    @Test func `a short read shows nothing before an end that TLS has reported`() {
        var state = MultiplexedState()
        #expect(state.inputWasRead(received(5, socketIsEmpty: true), peerHasFinished: true) == .process)
        #expect(state.canRead)
    }

    @Test func `a client that closes its side still gets responses, unless it reads no more`() {
        var state = MultiplexedState()
        #expect(state.inputWasRead(.ended, peerHasFinished: false) == .endInput)
        _ = state.socketBecameReady(.readable, isMarked: false)
        #expect(!state.canRead)
        var hungUp = MultiplexedState()
        _ = hungUp.socketBecameReady(.hungUp, isMarked: false)
        #expect(hungUp.inputWasRead(.ended, peerHasFinished: false) == .close(abruptly: false))
    }

    // The end

    @Test func `a lingering connection discards what arrives, up to a limit`() {
        var state = MultiplexedState()
        _ = state.inputWasRead(.wouldBlock, peerHasFinished: false)
        state.lingeringBegan()
        #expect(state.canRead)
        #expect(state.inputWasRead(received(Lingering.discardLimit), peerHasFinished: false) == .discard)
        #expect(state.inputWasRead(received(1), peerHasFinished: false) == .close(abruptly: true))
        var other = MultiplexedStateTests.lingering()
        #expect(other.inputWasRead(.ended, peerHasFinished: false) == .close(abruptly: false))
    }

    @Test func `the sending side is closed once, and only at the end`() {
        var state = MultiplexedState()
        #expect(state.outputWasSent() == false)
        state.lingeringBegan()
        #expect(state.outputWasSent() == true)
        #expect(state.outputWasSent() == false)
    }
}
