/// A conduit that subscribes to further publishers in the middle of its stream, and postpones that where the stack is
/// deep.
///
/// `flatMap`, `switchToLatest`, `catch` and concatenations renew their upstream. When every publisher delivers
/// synchronously, each renewal happens inside the previous one; see ``Nesting``.
@usableFromInline
class RenewingConduit: UpstreamConduit {
    // These are used only inside the gate, which makes every access exclusive.
    @exclusivity(unchecked) @usableFromInline final var isSubscribing = false
    @exclusivity(unchecked) @usableFromInline final var isRunningPostponed = false
    /// The tasks to run when the subscription in progress has returned.
    @exclusivity(unchecked) @usableFromInline final var postponed: ContiguousArray<() -> Void> = []

    @inlinable
    override init(_ respond: @escaping (Conduit, Command) -> Void) {
        super.init(respond)
    }

    /// Inside the gate: subscribes `subscriber` to `next`, immediately or when the subscription in progress has
    /// returned.
    @inlinable
    final func subscribe<P: Publisher, S: Subscriber>(_ subscriber: S, to next: P)
    where S.Input == P.Output, S.Failure == P.Failure {
        let counters = Nesting.counters
        // Postpone only from inside this conduit's own subscription, whose loop below runs the task. Otherwise, nothing
        // would run it.
        if isSubscribing, counters.pointee.subscriptions >= Nesting.limit {
            postponed.append { next.receive(subscriber: subscriber) }
        } else {
            subscribe(subscriber, to: next, counters)
        }
    }

    /// Inside the gate: subscribes `subscriber` to `next` immediately.
    @inlinable
    final func subscribe<P: Publisher, S: Subscriber>(
        _ subscriber: S, to next: P, _ counters: UnsafeMutablePointer<NestingCounters>
    ) where S.Input == P.Output, S.Failure == P.Failure {
        let isNested = isSubscribing
        isSubscribing = true
        counters.pointee.subscriptions += 1
        next.receive(subscriber: subscriber)
        if !postponed.isEmpty { runPostponed() }
        counters.pointee.subscriptions -= 1
        isSubscribing = isNested
    }

    /// Runs the postponed tasks in a loop of the outermost call, so that the stack does not grow.
    @usableFromInline
    final func runPostponed() {
        if isRunningPostponed { return }
        isRunningPostponed = true
        defer { isRunningPostponed = false }
        while !postponed.isEmpty {
            // Takes the whole list first, since a task may append further tasks to it.
            let tasks = postponed
            postponed = []
            for task in tasks where !demand.isEnded { task() }
        }
    }

    /// Runs `task` when the subscription that this conduit is making further up this thread's stack has returned.
    ///
    /// - Returns: Whether there is such a subscription.
    @usableFromInline
    final func postponeIfSubscribing(_ task: @escaping () -> Void) -> Bool {
        let outermost = enter()
        defer { exit(outermost) }
        // An outermost entry means that no subscription of this thread is in progress here, regardless of other
        // threads.
        if outermost || !isSubscribing || demand.isEnded { return false }
        postponed.append(task)
        return true
    }
}
