import Dispatch
import Synchronization

/// Checks a loop from another thread at short intervals, while the loop is active and for about a second afterwards.
///
/// Sendable: `timer` and `look` are constant, and `idleLooks` is touched by the timer's handler only, which is never
/// run by two threads at once.
final class StallWatchdog: @unchecked Sendable {
    private enum Watch {
        static let on: UInt8 = 0
        static let off: UInt8 = 1
        static let over: UInt8 = 2
    }

    private static let interval = DispatchTimeInterval.milliseconds(25)
    private static let idleLooks = 40

    private let timer: any DispatchSourceTimer
    private let watch = Atomic<UInt8>(Watch.on)
    private let look: @Sendable () -> Bool
    private var idleLooks = 0

    /// Starts the checks. The closure is called on an arbitrary thread and returns whether the loop is active.
    init(_ look: @escaping @Sendable () -> Bool) {
        self.look = look
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "granary.watchdog"))
        timer.schedule(
            deadline: .now() + StallWatchdog.interval, repeating: StallWatchdog.interval, leeway: .milliseconds(5))
        timer.setEventHandler { [weak self] in self?.tick() }
        timer.activate()
    }

    deinit {
        cancel()
    }

    /// Resumes the checks, if they are suspended: the loop has become active.
    func wake() {
        if watch.compareExchange(expected: Watch.off, desired: Watch.on, ordering: .sequentiallyConsistent).exchanged {
            timer.resume()
        }
    }

    /// Ends the checks. Call it once.
    func cancel() {
        // Dispatch crashes when a suspended source is released, so a suspended timer is resumed after it was cancelled.
        let before = watch.exchange(Watch.over, ordering: .sequentiallyConsistent)
        if before == Watch.over { return }
        timer.cancel()
        if before == Watch.off { timer.resume() }
    }

    private func tick() {
        idleLooks = look() ? 0 : idleLooks + 1
        guard idleLooks >= StallWatchdog.idleLooks else { return }
        idleLooks = 0
        timer.suspend()
        let rests = watch.compareExchange(
            expected: Watch.on, desired: Watch.off, ordering: .sequentiallyConsistent
        ).exchanged
        // Cancelled in the meantime: `cancel()` saw a running timer and left it to this call to resume it.
        if !rests { return timer.resume() }
        // The loop may have become active just before, when there was nothing to resume.
        if look() { wake() }
    }
}
