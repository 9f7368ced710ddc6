/// A link that subscribes to further publishers in the middle of its stream, and puts that off where the stack is deep.
@usableFromInline
class RenewingConduit: UpstreamConduit {
    /// Whether the link is subscribing to something. Used inside the gate.
    @exclusivity(unchecked) @usableFromInline final var isSubscribing = false
    /// Whether the link is doing what was put off. Used inside the gate.
    @exclusivity(unchecked) @usableFromInline final var isRunningPostponed = false
    /// What is to be done when that has returned. Used inside the gate.
    @exclusivity(unchecked) @usableFromInline final var postponed: ContiguousArray<() -> Void> = []

    @inlinable
    override init(_ respond: @escaping (Conduit, Command) -> Void) {
        super.init(respond)
    }

    @usableFromInline deinit {
        stayOutOfClients()
    }

    /// Inside the gate: subscribes to `next` with `subscriber`, at once or when the subscription in progress has returned.
    @inlinable
    final func subscribe<P: Publisher, S: Subscriber>(_ subscriber: S, to next: P)
    where S.Input == P.Output, S.Failure == P.Failure {
        let counters = Nesting.counters
        if isSubscribing, counters.pointee.subscriptions >= Nesting.limit {
            postponed.append { next.receive(subscriber: subscriber) }
        } else {
            subscribe(subscriber, to: next, counters)
        }
    }

    /// Inside the gate: subscribes to `next` with `subscriber` at once.
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

    /// Does what was put off, in the loop of the outermost call, so that the stack does not grow.
    @usableFromInline
    final func runPostponed() {
        if isRunningPostponed { return }
        isRunningPostponed = true
        defer { isRunningPostponed = false }
        while !postponed.isEmpty {
            let tasks = postponed
            postponed = []
            for task in tasks where !demand.isEnded { task() }
        }
    }

    /// Runs `task` when the subscription that the link is making on this thread, further out, has returned.
    ///
    /// - Returns: Whether there is such a subscription.
    @usableFromInline
    final func postponeIfSubscribing(_ task: @escaping () -> Void) -> Bool {
        let outermost = enter()
        defer { exit(outermost) }
        if outermost || !isSubscribing || demand.isEnded { return false }
        postponed.append(task)
        return true
    }
}
