import Locking

/// A substitute for the main queue and the main run loop, in effect while a machine is created and during its turns.
///
/// View models schedule on "main" because in an app that is where their state lives. On the server it lives on the loop
/// of the session, so the operators that they create must schedule there, on the clock of that loop.
package protocol MainSubstitute: AnyObject, Sendable {
    /// The time since an arbitrary fixed point, on the substitute's clock.
    var now: Duration { get }

    /// Runs `action` as soon as possible, but never before this call returns.
    func schedule(_ action: @escaping () -> Void)

    /// Runs `action` after `interval`, unless the returned token is cancelled before.
    func schedule(after interval: Duration, _ action: @escaping () -> Void) -> any Cancellable

    /// Runs `action` after `interval` like ``schedule(after:_:)``.
    ///
    /// - Parameter isCaptured: Whether the caller is captured with the machine, and schedules the action again when the
    ///   machine is restored.
    func schedule(after interval: Duration, isCaptured: Bool, _ action: @escaping () -> Void) -> any Cancellable

    /// An object that a framework keeps for the lifetime of the substitute, such as the scopes of its effects. Accessed
    /// only while the substitute is current. A substitute that hosts no machine may ignore it.
    var attachment: AnyObject? { get set }

    /// Where tasks run that a machine starts; nil for Swift's thread pool.
    var taskExecutor: (any TaskExecutor)? { get }
}

extension MainSubstitute {
    package var taskExecutor: (any TaskExecutor)? { nil }

    package func schedule(
        after interval: Duration, isCaptured: Bool, _ action: @escaping () -> Void
    ) -> any Cancellable {
        schedule(after: interval, action)
    }

    package var attachment: AnyObject? {
        get { nil }
        set {}
    }
}

/// The meaning of "main" on the calling thread.
package enum MainContext {
    // The slot does not retain the box; `with(_:_:)` keeps it alive while it is set.
    private static let slot = ThreadLocal<MainSubstituteBox>()

    /// The substitute for the main queue on the calling thread, if any.
    package static var current: (any MainSubstitute)? {
        slot.value?.substitute
    }

    /// Whether the calling thread creates a machine or runs a turn. Threads that a machine starts do neither.
    package static var isSubstituted: Bool { current != nil }

    package static var currentBox: MainSubstituteBox? {
        slot.value
    }

    /// Returns the result of `body`, which runs with `substitute` in place of the main queue. Operators that are
    /// subscribed meanwhile, on this thread, use the substitute as long as they live.
    package static func with<Result, Failure: Error>(
        _ substitute: any MainSubstitute, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let box = MainSubstituteBox(substitute)
        return try with(box, body)
    }

    /// Runs `body` like ``with(_:_:)-(MainSubstitute,_)``, for a caller that reuses the box to save its allocation.
    package static func with<Result, Failure: Error>(
        _ box: MainSubstituteBox, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Restored rather than cleared afterwards, because calls may be nested.
        let outer = slot.value
        slot.value = box
        defer {
            slot.value = outer
            // The slot holds the box without retaining it.
            withExtendedLifetime(box) {}
        }
        return try body()
    }
}

/// A box for a ``MainSubstitute``, which makes it a single reference.
// A thread-local slot holds one pointer, and an existential is two words.
package final class MainSubstituteBox: Sendable {
    package let substitute: any MainSubstitute
    /// The number of pending or running actions of a scheduler that runs actions inline where possible.
    // Unchecked because it is confined to the substitute's loop, so an atomic would only add cost.
    package nonisolated(unsafe) var inlineActionCount = 0

    package init(_ substitute: any MainSubstitute) {
        self.substitute = substitute
    }
}

/// A type of scheduler with one instance that is "main".
package protocol MainCapable: Scheduler {
    /// Whether this is the main queue or the main run loop.
    var isMain: Bool { get }

    /// Returns the time on this scheduler's clock that corresponds to `now` on a substitute's clock.
    func moment(at now: Duration) -> SchedulerTimeType

    /// Returns the length of `stride`.
    func duration(of stride: SchedulerTimeType.Stride) -> Duration

    /// Whether an action that is scheduled from inside the substitute's turn runs immediately instead of after it.
    var runsInline: Bool { get }
}

extension MainCapable {
    package var runsInline: Bool { false }
}
