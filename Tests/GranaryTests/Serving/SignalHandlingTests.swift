import Dispatch
import Glibc
import ProcessLifecycle
import Testing

/// Signals are handled from the moment at which a program can announce that it is ready.
struct SignalHandlingTests {
    // SIGWINCH, because its default action is to do nothing, and no other test uses it.
    // The rounds after the first begin when Dispatch already has its own action for the signal.
    @Test func `a signal that arrives as soon as its handling has begun is not lost`() {
        let queue = DispatchQueue(label: "signals")
        for round in 0..<50 {
            let isHandled = DispatchSemaphore(value: 0)
            let source = SignalHandling.begin(SIGWINCH, on: queue) { isHandled.signal() }
            kill(getpid(), SIGWINCH)
            #expect(isHandled.wait(timeout: .now() + 300) == .success, "round \(round)")
            let isCancelled = DispatchSemaphore(value: 0)
            source.setCancelHandler { isCancelled.signal() }
            source.cancel()
            isCancelled.wait()
        }
    }
}
