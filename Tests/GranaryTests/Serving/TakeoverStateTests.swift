import Testing

@testable import Granary

struct TakeoverStateTests {
    private func expecting(_ process: Int32 = 7) -> TakeoverState {
        var state = TakeoverState()
        state.started(process: process)
        return state
    }

    @Test func `a ready successor receives the sockets once`() {
        var state = TakeoverState()
        #expect(state.takeoverRequested(isFirstProcess: false) == .start)
        state.started(process: 7)
        #expect(!state.isHandedOver)
        #expect(state.successorIsReady() == .handOver(to: 7))
        #expect(state.isHandedOver)
        #expect(state.successorIsReady() == .nothing)
        #expect(state.successorEnded() == .nothing)
        #expect(state.timeoutFired(for: 7) == .nothing)
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

    @Test func `the timeout of one successor does not apply to the next`() {
        var state = expecting(7)
        _ = state.successorEnded()
        state.started(process: 8)
        #expect(state.timeoutFired(for: 7) == .nothing)
        #expect(state.successorIsReady() == .handOver(to: 8))
    }

    @Test func `only one successor is started at a time`() {
        #expect(expecting().takeoverRequested(isFirstProcess: false) == .refuse("another takeover is in progress"))
    }

    @Test func `the first process of a container cannot be replaced`() {
        guard case .refuse = TakeoverState().takeoverRequested(isFirstProcess: true) else {
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
        var alone = TakeoverState()
        #expect(alone.end() == .nothing)
        var over = expecting()
        _ = over.successorIsReady()
        #expect(over.end() == .nothing)
        #expect(over.isHandedOver)
        #expect(over.takeoverRequested(isFirstProcess: false) == .refuse("this server is shutting down"))
    }
}
