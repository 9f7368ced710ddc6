/// Collects spans until they are exported, and decides when: bounded, in batches, one at a time.
///
/// It has no I/O and no clock. The owner does what an action says, and reports the result with an event.
struct SpanBatching {
    /// The bounds.
    struct Limits {
        /// The maximum number of spans that wait.
        var waiting = 2048
        /// The maximum number of spans in a batch.
        var batch = 512
        /// The maximum number of spans that are taken in a second.
        var perSecond: Int
    }

    /// The action that the owner must perform.
    enum Action: Equatable {
        case none
        /// Call ``delayPassed()`` after the delay.
        case wait
        /// Send the spans, and call ``exportEnded(isAccepted:)``.
        case export([Span])
    }

    /// The reason why spans were not exported.
    enum Loss: String, CaseIterable {
        /// Too many wait for the collector.
        case full
        /// More than the limit of a second.
        case rate
        /// The collector has not accepted them.
        case refused
    }

    private enum State {
        case idle
        /// The first spans of a batch wait for more.
        case collecting
        case exporting(count: Int)
    }

    private static let second: UInt64 = 1_000_000_000

    private let limits: Limits
    private var state = State.idle
    private var waiting: [Span] = []
    private var secondEnd: UInt64 = 0
    private var takenInSecond = 0
    private var isFinishing = false
    /// The number of spans that the collector has accepted.
    private(set) var exported: UInt64 = 0
    /// The number of spans that were dropped, by reason.
    private(set) var dropped: [Loss: UInt64] = [:]

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// Whether nothing waits and nothing is being sent.
    var isIdle: Bool { if case .idle = state { true } else { false } }

    /// Takes a span.
    ///
    /// - Parameter now: The time in nanoseconds, for the limit of a second.
    mutating func spanEnded(_ span: Span, now: UInt64) -> Action {
        // A clock that was set back must not keep the limit of a second that is far away.
        if now >= secondEnd || now &+ SpanBatching.second < secondEnd {
            (secondEnd, takenInSecond) = (now &+ SpanBatching.second, 0)
        }
        guard takenInSecond < limits.perSecond else { return drop(1, .rate) }
        guard waiting.count < limits.waiting else { return drop(1, .full) }
        takenInSecond += 1
        waiting.append(span)
        switch state {
        case .idle:
            guard !isFinishing else { return export() }
            state = .collecting
            return .wait
        case .collecting: return waiting.count >= limits.batch ? export() : .none
        case .exporting: return .none
        }
    }

    /// Handles the end of the delay after the first span of a batch. A delay that has begun before the last export is too early, which
    /// does no harm.
    mutating func delayPassed() -> Action {
        guard case .collecting = state else { return .none }
        return export()
    }

    mutating func exportEnded(isAccepted: Bool) -> Action {
        guard case .exporting(let count) = state else {
            preconditionFailure("expected the end of an export, got one in the state \(state)")
        }
        state = .idle
        if isAccepted { exported += UInt64(count) } else { _ = drop(count, .refused) }
        guard !waiting.isEmpty else { return .none }
        if isFinishing {
            if isAccepted { return export() }
            // The process ends, and must not wait for a collector that is away.
            defer { waiting = [] }
            return drop(waiting.count, .refused)
        }
        if isAccepted, waiting.count >= limits.batch { return export() }
        state = .collecting
        return .wait
    }

    /// Exports what waits, because the process ends.
    mutating func finish() -> Action {
        isFinishing = true
        return delayPassed()
    }

    private mutating func export() -> Action {
        let batch = Array(waiting.prefix(limits.batch))
        waiting.removeFirst(batch.count)
        state = .exporting(count: batch.count)
        return .export(batch)
    }

    private mutating func drop(_ count: Int, _ loss: Loss) -> Action {
        dropped[loss, default: 0] += UInt64(count)
        return .none
    }
}
