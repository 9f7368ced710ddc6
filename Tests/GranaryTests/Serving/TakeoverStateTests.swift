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

    @Test func `a ready successor receives the sockets once`() {
        var state = serving()
        #expect(state.takeoverRequested(isFirstProcess: false) == .start)
        state.started(process: 7)
        #expect(!state.isHandedOver)
        #expect(state.successorIsReady() == .handOver(to: 7))
        #expect(state.isHandedOver)
        #expect(state.successorIsReady() == .nothing)
        #expect(state.successorEnded() == .nothing)
        #expect(state.timeoutFired(for: 7) == .nothing)
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
        var state = expecting()
        #expect(state.takeoverRequested(isFirstProcess: false) == .refuse("another takeover is in progress"))
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
        var over = expecting()
        _ = over.successorIsReady()
        #expect(over.end() == .nothing)
        #expect(over.isHandedOver)
        #expect(over.takeoverRequested(isFirstProcess: false) == .refuse("this server is shutting down"))
    }
}
