import HTTPModel

/// Detects turns that take too long, with one clock reading per turn.
///
/// A turn starts when the previous turn of the round has ended, or when the round has started. So its time includes
/// other work of the loop, such as parsing the request.
struct TurnWatch {
    /// The interval, in seconds, in which at most one line per machine is logged.
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

    /// Returns the duration of the turn that has ended if it reached the warning threshold.
    mutating func turnEnded(at now: MonotonicTime, round: MonotonicTime) -> Duration? {
        let start = max(round, lastEnd)
        lastEnd = now
        // The loop's clock is coarse: it may return a time before the start of the round.
        guard now > start, now.nanoseconds - start.nanoseconds >= warning else { return nil }
        return now - start
    }

    /// Returns the number of slow turns of a machine since its last log line; nil if this one must not be logged yet.
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

/// The cause of a turn.
struct TurnCause {
    /// The number of turns in a row that led to it; 0 for an external cause.
    var depth = 0
    /// The cause, for the journal.
    var trigger = TurnRecord.Trigger.scheduled
    /// The place of the input in the registration; nil for other causes.
    var place: Int?
    /// The sender of the input or the batch that the turn runs; nil in other turns, and for clients without credentials.
    var sender: InputSender?
    /// The number of publications in a row that led to it.
    var publications = 0
}

/// The turn in progress, for what it causes.
struct CurrentTurn {
    /// The number of turns in a row that led to it.
    let depth: Int
    /// The sender of the input or the batch that it runs.
    let sender: InputSender?
    /// The number of publications in a row that led to it.
    let publications: Int
    /// Its span; nil if it belongs to no sampled trace.
    var trace: TurnTrace?
}

/// The results of a turn that has ended.
// Moved, never copied: each copy would retain its parts.
struct EndedTurn: ~Copyable {
    /// Its span; nil if it belongs to no sampled trace.
    let trace: TurnTrace?
    /// Its change.
    var outcome = TurnOutcome.unchanged
    /// The events of a stored session's effects in the turn.
    var effects: [EffectEvent] = []
    /// Its duration, with the encoding of outputs; nil if turns are not measured.
    var nanoseconds: UInt64?
    /// The error for which its session must be ended; nil if the turn has not failed.
    private(set) var failure: (any Error)?

    /// Notes that the session must be ended.
    mutating func fail(_ error: any Error) {
        assert(failure == nil, "expected a turn to fail once")
        failure = error
        outcome = .failed(incident: Incident.random())
    }
}

extension TurnRecord.Trigger {
    /// The cause of a turn, for the log. It contains no value that a client sent.
    var text: String {
        switch self {
        case .input(let name, _): name
        case .batch: "batch"
        case .received(let topic, _, _): "topic \(topic)"
        case .scheduled, .resumed: "none (a timer or an effect)"
        }
    }
}
