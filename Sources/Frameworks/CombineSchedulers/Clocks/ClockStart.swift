import CombineCore
import Locking

/// The time at which a clock was first used.
final class Start<C: Clock>: Sendable {
    private let clock: C
    private let state = Lock<C.Instant?>(nil)

    init(_ clock: C) {
        self.clock = clock
    }

    var value: C.Instant {
        if let known = state.withLock({ $0 }) { return known }
        // Outside of the lock, because the clock is code of the user.
        let now = clock.now
        return state.withLock { state in
            if let known = state { return known }
            state = now
            return now
        }
    }
}

/// A closure that forgets a sleeping task.
struct Removal: Cancellable {
    let remove: @Sendable () -> Void

    func cancel() { remove() }
}
