/// The amount of work that one connection may do before the other connections of the loop get their turn: a number of
/// steps (requests, reads, parts of a response) and a time.
///
/// Without it, a client that never stops sending would keep all others waiting.
struct StepBudget {
    private var left: Int
    /// Steps before the clock is read, so that a connection with a single request never reads it.
    private var unmeasured: Int
    private var start: UInt64?
    private var hasTaken = false

    /// The budget of an HTTP/1.1 connection: up to 32 pieces of work, such as requests to respond to or parts of a
    /// stream to read. A step with a single request has three: reading it, responding to it, and checking that no other
    /// follows.
    static var requests: StepBudget { StepBudget(pieces: 32, unmeasured: 3) }

    init(pieces: Int, unmeasured: Int) {
        left = pieces
        self.unmeasured = unmeasured
    }

    /// Uses up one step of a connection; returns whether it is within the budget, and records otherwise that it is
    /// exhausted.
    @inline(__always)
    mutating func take(on loop: EpollEventLoop, for state: inout ConnectionState) -> Bool {
        if take(on: loop) { return true }
        state.budgetWasExhausted()
        return false
    }

    /// Uses up one step; returns whether it is within the budget.
    @inline(__always)
    mutating func take(on loop: EpollEventLoop) -> Bool {
        guard left > 0 else { return false }
        left -= 1
        if unmeasured > 0 {
            unmeasured -= 1
            return true
        }
        return hasTime(on: loop)
    }

    /// Has the clock read before the next step, because another request follows.
    @inline(__always)
    mutating func measure() { unmeasured = 0 }

    /// Returns whether there is time for another request. The first one of a step needs none: nobody knows how long a request takes
    /// before it has been answered, and a connection with a single one does not read the clock.
    @inline(__always)
    mutating func takeRequest(on loop: EpollEventLoop) -> Bool {
        guard hasTaken else {
            hasTaken = true
            return true
        }
        return hasTime(on: loop)
    }

    private mutating func hasTime(on loop: EpollEventLoop) -> Bool {
        let now = loop.clock
        defer { start = start ?? now }
        return !loop.isRoundOver(at: now) && now - (start ?? now) < loop.stepTime
    }
}
