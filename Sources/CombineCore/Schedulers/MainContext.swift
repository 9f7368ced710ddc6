import Locking

/// Stands in for the main queue and the main run loop while a machine is wired up and while it takes its turns.
package protocol MainSubstitute: AnyObject, Sendable {
    /// The time that has passed since some fixed moment, on the substitute's clock.
    var now: Duration { get }

    /// Runs `action` as soon as possible, never before this call returns.
    func schedule(_ action: @escaping () -> Void)

    /// Runs `action` once `interval` has passed, unless the token is cancelled before.
    func schedule(after interval: Duration, _ action: @escaping () -> Void) -> any Cancellable

    /// An object that a framework keeps for the lifetime of the substitute, such as the scopes of its effects. Accessed
    /// only while the substitute is current. A substitute that hosts no machine may ignore it.
    var attachment: AnyObject? { get set }
}

extension MainSubstitute {
    package var attachment: AnyObject? {
        get { nil }
        set {}
    }
}

/// What "main" means on the calling thread.
package enum MainContext {
    private static let slot = ThreadLocal<MainSubstituteBox>()

    /// The substitute for the main queue on the calling thread, if any.
    package static var current: (any MainSubstitute)? {
        slot.value?.substitute
    }

    /// The box of ``current``.
    package static var currentBox: MainSubstituteBox? {
        slot.value
    }

    /// Runs `body` with `substitute` standing in for the main queue: operators that are subscribed meanwhile, on this
    /// thread, use it for as long as they live.
    package static func with<Result, Failure: Error>(
        _ substitute: any MainSubstitute, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let box = MainSubstituteBox(substitute)
        return try with(box, body)
    }

    /// Like ``with(_:_:)-(MainSubstitute,_)``, for a caller that keeps the box and saves the allocation.
    package static func with<Result, Failure: Error>(
        _ box: MainSubstituteBox, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = slot.value
        slot.value = box
        defer {
            slot.value = outer
            withExtendedLifetime(box) {}
        }
        return try body()
    }
}

/// Holds a ``MainSubstitute`` so that one word leads to it.
package final class MainSubstituteBox: Sendable {
    package let substitute: any MainSubstitute
    /// The number of actions, pending or running, of a scheduler that runs them inline where it can.
    ///
    /// Unchecked because it is confined to the substitute's loop. An atomic here costs every subscription of the module a
    /// retain more, because the class then needs a `deinit` (Swift 6.3).
    package nonisolated(unsafe) var inlineActionCount = 0

    package init(_ substitute: any MainSubstitute) {
        self.substitute = substitute
    }
}

/// A type of scheduler of which one instance is "main".
package protocol MainCapable: Scheduler {
    /// Whether this is the main queue or the main run loop.
    var isMain: Bool { get }

    /// The moment on this scheduler's clock that stands for `now` on a substitute's.
    func moment(at now: Duration) -> SchedulerTimeType

    /// The length of `stride`.
    func duration(of stride: SchedulerTimeType.Stride) -> Duration

    /// Whether an action that comes from inside the substitute's turn runs at once instead of after it.
    var runsInline: Bool { get }
}

extension MainCapable {
    package var runsInline: Bool { false }
}
