import Dispatch
import Synchronization

/// Looks at a loop from outside, at short intervals, for as long as the loop does something, and about a second beyond.
///
/// Sendable: the timer is made once, and counted idle looks are those of its handler, which runs once at a time.
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

    /// Begins to look. The closure is called on some thread, and answers whether the loop is at work.
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

    /// The loop begins to work.
    func wake() {
        if watch.compareExchange(expected: Watch.off, desired: Watch.on, ordering: .sequentiallyConsistent).exchanged {
            timer.resume()
        }
    }

    /// Looks no more. To be called once.
    func cancel() {
        // A timer that rests must not be let go of.
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
        // It may have been cancelled, or the loop may have begun to work, without having found it at rest.
        if !rests { return timer.resume() }
        if look() { wake() }
    }
}
