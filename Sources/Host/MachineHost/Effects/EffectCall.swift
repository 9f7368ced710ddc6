import Log

/// The call of an effect that is in progress, for the closure that asks.
public struct EffectCall: Sendable {
    /// The call for which the current task, or the caller of the closure, runs; nil outside of effects.
    ///
    /// A task-local value, so that an Extra's function keeps its form: a question goes in, and an answer comes out.
    @TaskLocal public static var current: EffectCall?

    /// The name of the effect.
    public let name: String
    /// A random text that is the same each time the question is asked again after a crash. A service that accepts an
    /// `Idempotency-Key` recognizes by it that it has performed the call already.
    public let idempotencyKey: String
    /// The number of the attempt: 1, and one more after each crash. The answers of older attempts are dropped.
    public let attempt: UInt64
}

/// The treatment of an effect that was not answered before a crash.
public struct CrashReaction<Failure: Error>: Sendable {
    enum Reaction {
        case again
        case fail(Failure)
    }

    let reaction: Reaction

    /// The question is asked again, with the same ``EffectCall/idempotencyKey``. So it may be asked more than once.
    ///
    /// In a copy of a session (`granary sessions fork`), the effects of the other session are not asked again. They fail with
    /// ``EffectInterrupted`` if their failure is any `Error`, and otherwise end without an answer.
    public static var again: CrashReaction { CrashReaction(reaction: .again) }

    /// The effect fails with an error.
    public static func fail(with error: Failure) -> CrashReaction { CrashReaction(reaction: .fail(error)) }
}

extension CrashReaction where Failure == any Error {
    /// The effect fails with ``EffectInterrupted``.
    public static var fail: CrashReaction { .fail(with: EffectInterrupted()) }
}

/// The failure of an effect that had no answer when the process ended.
public struct EffectInterrupted: LoggableError, Hashable, CustomStringConvertible {
    /// Creates the failure.
    public init() {}

    /// The failure as a clause.
    public var description: String { "the process ended before the effect was answered" }
}

/// Thrown when a question or an answer cannot be stored. The session ends with an incident.
struct UnstorableEffect: LoggableError {
    let effect: String
    /// The part that cannot be encoded: `question` or `answer`.
    let part: String
    let cause: any Error

    var logDescription: String {
        "expected a \(part) of the effect \"\(effect)\" that can be encoded, got \(LogValue.text(of: cause))"
    }
}
