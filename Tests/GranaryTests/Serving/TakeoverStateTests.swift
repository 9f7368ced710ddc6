import Testing

@testable import Granary

struct TakeoverStateTests {
    private func serving() -> TakeoverState {
        var state = TakeoverState()
        _ = state.serverIsReady(isFirstProcess: false)
        return state
    }

    private func expecting(_ process: Int32 = 7) -> TakeoverState {
        var state = serving()
        state.started(process: process)
        return state
    }

    /// Returns the state in which a successor has been offered the sessions.
    private func offering(_ process: Int32 = 7) -> TakeoverState {
        var state = expecting(process)
        _ = state.successorIsReady()
        _ = state.sessionsWereReleased()
        return state
    }

    @Test func `a successor receives the sessions, confirms and begins`() {
        var state = serving()
        #expect(state.takeoverRequested(isFirstProcess: false) == .start)
        state.started(process: 7)
        #expect(state.successorIsReady() == .release)
        #expect(state.successorIsReady() == .nothing)
        #expect(state.successorConfirmed() == .nothing)
        #expect(state.sessionsWereReleased() == .offer(to: 7))
        #expect(!state.isHandedOver)
        #expect(state.successorConfirmed() == .consent(to: 7))
        #expect(state.consentWasSent(true) == .handOver(to: 7))
        #expect(state.isHandedOver)
        #expect(state.successorIsReady() == .nothing)
        #expect(state.successorEnded() == .nothing)
        #expect(state.timeoutFired(for: 7) == .nothing)
        #expect(state.offerTimeoutFired(for: 7) == .nothing)
    }

    @Test func `a takeover that is requested before the server is ready begins when it is ready`() {
        var state = TakeoverState()
        #expect(state.takeoverRequested(isFirstProcess: false) == .nothing)
        #expect(state.takeoverRequested(isFirstProcess: false) == .nothing)
        #expect(state.serverIsReady(isFirstProcess: false) == .start)
        #expect(state.serverIsReady(isFirstProcess: false) == .nothing)
        var ended = TakeoverState()
        _ = ended.takeoverRequested(isFirstProcess: false)
        #expect(ended.end() == .nothing)
        #expect(ended.serverIsReady(isFirstProcess: false) == .nothing)
    }

    @Test func `a release that is abandoned ends the takeover, and a shutdown takes the sessions back`() {
        var slow = expecting()
        _ = slow.successorIsReady()
        #expect(
            slow.releaseWasAbandoned()
                == .resume(killing: 7, reason: "turns in progress did not end within http.takeoverTimeout"))
        #expect(slow.takeoverRequested(isFirstProcess: false) == .start)
        var recalled = expecting()
        _ = recalled.successorIsReady()
        _ = recalled.successorEnded()
        #expect(
            recalled.releaseWasAbandoned()
                == .resume(killing: 7, reason: "the new server exited before it received the sessions"))
        var ended = expecting()
        _ = ended.successorIsReady()
        _ = ended.end()
        #expect(ended.releaseWasAbandoned() == .takeBack)
    }

    @Test func `a successor that exits or takes too long leaves the old server unchanged`() {
        var died = expecting()
        #expect(died.successorEnded() == .resume(killing: 7, reason: "the new server exited before it was ready"))
        #expect(died.takeoverRequested(isFirstProcess: false) == .start)
        var slow = expecting()
        #expect(
            slow.timeoutFired(for: 7)
                == .resume(killing: 7, reason: "the new server was not ready within http.takeoverTimeout"))
        #expect(slow.successorIsReady() == .nothing)
        #expect(slow.takeoverRequested(isFirstProcess: false) == .start)
    }

    @Test func `a successor that exits during the release is replaced by the old server when it has released`() {
        var state = expecting()
        _ = state.successorIsReady()
        #expect(state.successorEnded() == .recall(killing: 7))
        #expect(state.takeoverRequested(isFirstProcess: false) == .refuse("another takeover is in progress"))
        #expect(state.successorEnded() == .nothing)
        #expect(
            state.sessionsWereReleased()
                == .resume(killing: 7, reason: "the new server exited before it received the sessions"))
        #expect(state.takeoverRequested(isFirstProcess: false) == .start)
    }

    @Test func `a successor that cannot open the sessions leaves them to the old server`() {
        var died = offering()
        #expect(
            died.successorEnded()
                == .resume(killing: 7, reason: "the new server exited before it had opened the sessions"))
        #expect(died.successorConfirmed() == .nothing)
        var slow = offering()
        #expect(slow.timeoutFired(for: 7) == .nothing)
        #expect(
            slow.offerTimeoutFired(for: 7)
                == .resume(killing: 7, reason: "the new server had not opened the sessions within http.takeoverTimeout")
        )
        #expect(slow.takeoverRequested(isFirstProcess: false) == .start)
        var gone = offering()
        _ = gone.successorConfirmed()
        #expect(gone.offerTimeoutFired(for: 7) == .nothing)
        #expect(
            gone.consentWasSent(false) == .resume(killing: 7, reason: "the new server ended before it could begin"))
        #expect(!gone.isHandedOver)
    }

    @Test func `the timeout of one successor does not apply to the next`() {
        var state = expecting(7)
        _ = state.successorEnded()
        state.started(process: 8)
        #expect(state.timeoutFired(for: 7) == .nothing)
        #expect(state.successorIsReady() == .release)
        #expect(state.sessionsWereReleased() == .offer(to: 8))
        #expect(state.offerTimeoutFired(for: 7) == .nothing)
    }

    @Test func `only one successor is started at a time`() {
        for var state in [expecting(), offering()] {
            #expect(state.takeoverRequested(isFirstProcess: false) == .refuse("another takeover is in progress"))
        }
    }

    @Test func `the first process of a container cannot be replaced`() {
        var state = serving()
        guard case .refuse = state.takeoverRequested(isFirstProcess: true) else {
            Issue.record("expected the takeover to be refused")
            return
        }
    }

    @Test func `a server that shuts down stops an unready successor and starts no other`() {
        var state = expecting()
        #expect(state.end() == .kill(7))
        #expect(!state.isHandedOver)
        #expect(state.takeoverRequested(isFirstProcess: false) == .refuse("this server is shutting down"))
        #expect(state.successorIsReady() == .nothing)
        var alone = serving()
        #expect(alone.end() == .nothing)
        var offered = offering()
        #expect(offered.end() == .kill(7))
        #expect(offered.successorConfirmed() == .nothing)
        var releasing = expecting()
        _ = releasing.successorIsReady()
        #expect(releasing.end() == .kill(7))
        #expect(releasing.sessionsWereReleased() == .takeBack)
        var over = offering()
        _ = over.successorConfirmed()
        _ = over.consentWasSent(true)
        #expect(over.end() == .nothing)
        #expect(over.isHandedOver)
        #expect(over.takeoverRequested(isFirstProcess: false) == .refuse("this server is shutting down"))
    }
}
