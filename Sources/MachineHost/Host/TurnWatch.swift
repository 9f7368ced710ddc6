import HTTPModel

/// Finds the turns that take too long, with one reading of the clock a turn.
///
/// A turn begins when the one before it in the round has ended, or when the round has begun: so the time includes what the
/// loop did in between, such as reading the request.
struct TurnWatch {
    /// The seconds in which at most one line about each machine is logged.
    private static let reportInterval: Tick = 10

    private struct Reports {
        var nextAt: Tick
        var unreported = 0
    }

    private let warning: UInt64
    /// The time at which the last turn ended.
    private(set) var lastEnd = MonotonicTime(nanoseconds: 0)
    private var reports: [ObjectIdentifier: Reports] = [:]

    init(warning: Duration) {
        self.warning = UInt64(max(0, warning.wholeNanoseconds))
    }

    /// Returns how long a turn has taken if that is too long.
    mutating func turnEnded(at now: MonotonicTime, round: MonotonicTime) -> Duration? {
        let start = max(round, lastEnd)
        lastEnd = now
        // The clock is coarse: it may show a time before the round.
        guard now > start, now.nanoseconds - start.nanoseconds >= warning else { return nil }
        return now - start
    }

    /// Returns how many long turns of the machine have not been logged since the last that was; `nil` if this one is not
    /// to be logged either.
    mutating func report(on machine: RegisteredMachine, now: Tick) -> Int? {
        let key = ObjectIdentifier(machine)
        if var reported = reports[key], now < reported.nextAt {
            reported.unreported += 1
            reports[key] = reported
            return nil
        }
        let unreported = reports[key]?.unreported ?? 0
        reports[key] = Reports(nextAt: now + TurnWatch.reportInterval)
        return unreported
    }
}

/// A turn that runs.
struct CurrentTurn {
    /// The number of turns in a row that have led to it.
    let depth: Int
    var cause = TurnCause.scheduled
}

/// What the log calls the cause of a turn. It contains no value that a client has sent.
enum TurnCause {
    /// The name of an input, as the machine declares it.
    case input(String)
    case batch
    /// A timer, the result of an effect, a value from another thread.
    case scheduled

    var text: String {
        switch self {
        case .input(let name): name
        case .batch: "a batch"
        case .scheduled: "none, a timer or an effect"
        }
    }
}
