/// How much one connection may do before the loop's other connections have their turn: a number of pieces of work (requests,
/// reads, parts of an answer) and a time.
///
/// A client that sends without end would otherwise keep everybody else waiting for as long as its input lasts.
struct StepBudget {
    private var left: Int
    /// Pieces of work before the clock is read, so that a connection with a single request never pays for that.
    private var unmeasured: Int
    private var start: UInt64?

    init(pieces: Int, unmeasured: Int) {
        left = pieces
        self.unmeasured = unmeasured
    }

    /// Takes one piece of work; returns whether it is within the budget.
    mutating func take(on loop: EpollEventLoop) -> Bool {
        guard left > 0 else { return false }
        left -= 1
        if unmeasured > 0 {
            unmeasured -= 1
            return true
        }
        let now = loop.clock
        defer { start = start ?? now }
        return !loop.isRoundOver(at: now) && now - (start ?? now) < loop.stepTime
    }
}
