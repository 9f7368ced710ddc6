/// An effect or timer of a session, from its subscription to its end. Confined to the session's loop, except for what
/// its subclasses synchronize.
class RunningEffect {
    let effects: SessionEffects
    let name: String
    /// The number by which turns refer to it; 0 before it starts.
    final var id: UInt64 = 0
    /// The stored time at which it started, in milliseconds.
    final var startedAt: Int64 = 0
    /// The span of the turn that has started it; nil if it belongs to no sampled trace.
    final var trace: TraceLink?

    init(_ effects: SessionEffects, name: String) {
        self.effects = effects
        self.name = name
    }

    /// The names by which a restored machine cancels it.
    var cancellationNames: [String] { [] }

    /// Whether the work may begin before the turn that starts it is stored.
    var startsBeforeCommit: Bool { true }

    var isCancelled: Bool { preconditionFailure("\(Self.self) must override isCancelled") }

    /// The time at which the effect is due on the loop's clock; nil if it waits for an answer.
    var due: Duration? { nil }

    /// Returns the work as the journal stores it.
    ///
    /// - Throws: An error if the question cannot be encoded.
    func work() throws -> OpenEffect.Work { preconditionFailure("\(Self.self) must override work()") }

    func matches(_ stored: OpenEffect) -> Bool { preconditionFailure("\(Self.self) must override matches(_:)") }

    /// Continues a stored effect, which ``matches(_:)``.
    func adopt(_ stored: OpenEffect) {
        assert(id == 0, "expected an effect that has not started, got \(id)")
        id = stored.id
        startedAt = stored.startedAt
        trace = stored.trace
    }

    /// Begins the work.
    func start() {}

    /// Cancels the work.
    func stop() {}

    /// Continues after a restore, inside a turn. Returns whether the effect was interrupted instead.
    func resume() -> Bool { false }

    /// Ends the effect as it ended when it was recorded, in a turn.
    ///
    /// - Throws: ``UnreplayableOutcome`` if this build cannot read the answer.
    func replay(_ outcome: EffectEvent.Outcome) throws {}

    /// Completes the subscription without a value, because the effect had ended when the machine was captured.
    func finishSilently() {}
}
