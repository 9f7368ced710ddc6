import CombineCore
import HTTPModel
import Locking

/// A declared timer, as a publisher. Each subscription starts the timer.
struct TimerPublisher: Publisher {
    typealias Output = Void
    typealias Failure = Never

    let effects: SessionEffects
    let name: String
    /// The time until the timer fires first.
    let delay: Duration
    /// The grid of a repeating timer; nil if it fires once.
    let grid: TimerGrid?
    /// The names by which a restored machine cancels the timer.
    var cancellationNames: [String] = []

    func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
        let timer = DeclaredTimer(self, AnySubscriber(subscriber))
        subscriber.receive(subscription: timer)
        effects.begin(timer)
    }
}

/// A timer that was started by a subscription.
final class DeclaredTimer: RunningEffect, Subscription {
    /// The side of the subscriber, which may use any thread.
    private struct Delivery {
        /// Nil once the subscription has ended.
        var subscriber: AnySubscriber<Void, Never>?
        var demand = Subscribers.Demand.none
    }

    private let delay: Duration
    private let grid: TimerGrid?
    private let names: [String]
    private let delivery: Lock<Delivery>
    /// The time at which the timer fires next; nil before it starts.
    private var next: Duration?
    private var block: ScheduledBlock?

    init(_ publisher: TimerPublisher, _ subscriber: AnySubscriber<Void, Never>) {
        delay = publisher.delay
        grid = publisher.grid
        names = publisher.cancellationNames
        delivery = Lock(Delivery(subscriber: subscriber))
        super.init(publisher.effects, name: publisher.name)
    }

    override var cancellationNames: [String] { names }

    override var isCancelled: Bool { delivery.withLock { $0.subscriber == nil } }

    override var due: Duration? { next }

    override func work() -> OpenEffect.Work {
        let due = effects.now + delay
        next = due
        return .time(storedTime(of: due))
    }

    override func start() {
        let due = next ?? effects.now + delay
        next = due
        guard due > effects.now else {
            // As a block and not as a timer, so that several that are due fire in the order of these calls.
            return effects.schedule { [weak self] in self?.fire() }
        }
        block = effects.schedule(after: due - effects.now) { [weak self] in self?.fire() }
    }

    override func stop() {
        block?.cancel()
        block = nil
        next = nil
    }

    /// Fires, in a turn.
    private func fire() {
        effects.assertOnLoop()
        guard effects.isOpen(self), let due = next else { return }
        guard let grid else {
            effects.end(self, .finished)
            if takeDemand() { _ = subscriber?.receive(()) }
            return take()?.receive(completion: .finished) ?? ()
        }
        let later = grid.moment(after: due, now: effects.now)
        next = later
        effects.note(.fired(id: id, due: storedTime(of: later)))
        // Armed before the delivery: the subscriber may cancel.
        start()
        guard takeDemand(), let more = subscriber?.receive(()) else { return }
        request(more)
    }

    private var subscriber: AnySubscriber<Void, Never>? { delivery.withLock { $0.subscriber } }

    private func take() -> AnySubscriber<Void, Never>? {
        delivery.withLock { delivery in
            defer { delivery.subscriber = nil }
            return delivery.subscriber
        }
    }

    /// Returns whether the subscriber accepts another value. Without demand, it misses one, as with `Timer.publish`.
    private func takeDemand() -> Bool {
        delivery.withLock { delivery in
            guard delivery.demand > .none else { return false }
            delivery.demand -= 1
            return true
        }
    }

    private func storedTime(of due: Duration) -> Int64 { due.wholeNanoseconds.addingClamped(effects.clockOffset) }

    func request(_ demand: Subscribers.Demand) {
        delivery.withLock { $0.demand += demand }
    }

    func cancel() {
        if take() != nil { effects.cancel(self) }
    }

    // After a restore.

    override func matches(_ stored: OpenEffect) -> Bool {
        if case .time = stored.work { stored.name == name } else { false }
    }

    override func adopt(_ stored: OpenEffect) {
        super.adopt(stored)
        if case .time(let due) = stored.work { next = .nanoseconds(due) - .nanoseconds(effects.clockOffset) }
    }

    override func resume() -> Bool {
        // One that became due meanwhile has a delay of zero or less, so it fires in the next round. It fires once, and then
        // continues on its grid.
        start()
        return false
    }

    override func finishSilently() {
        take()?.receive(completion: .finished)
    }
}
