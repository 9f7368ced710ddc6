public import Locking

/// A source that sends its values to connections.
@usableFromInline
protocol SubjectOrigin<Output, Failure>: AnyObject {
    associatedtype Output
    associatedtype Failure: Error

    /// Adds `demand` to the demand of `connection`.
    func grant(_ demand: Subscribers.Demand, to connection: SubjectConnection<Output, Failure>)

    /// Does the work for `connection` that was deferred while another thread was delivering to it.
    func catchUp(_ connection: SubjectConnection<Output, Failure>)

    /// Returns whether the latest value of the source waits for the demand of `connection`. Called inside the gate of the connection.
    func hasUnseenValue(for connection: SubjectConnection<Output, Failure>) -> Bool

    /// Returns the children of the mirror of a connection.
    ///
    /// - Parameters:
    ///   - source: The source; nil after the end.
    ///   - subscriber: The subscriber; nil after the end.
    ///   - demand: The outstanding demand.
    static func children(_ source: Any, _ subscriber: Any, _ demand: Subscribers.Demand) -> [Mirror.Child]

    /// Removes `connection`, which has been cancelled.
    func detach(_ connection: SubjectConnection<Output, Failure>)
}

extension SubjectOrigin {
    @usableFromInline
    func hasUnseenValue(for connection: SubjectConnection<Output, Failure>) -> Bool { false }

    @usableFromInline
    static func children(_ source: Any, _ subscriber: Any, _ demand: Subscribers.Demand) -> [Mirror.Child] {
        [("parent", source), ("downstream", subscriber), ("demand", demand), ("subject", source)]
    }
}

/// A pointer to a value or a completion that a subject passes to a connection.
// Untyped: a generic enum would make unspecialized code look up its type for each value. The pointer is valid only
// during the call, and the receiving `Connection` knows the type.
@usableFromInline
enum SubjectSignal {
    case value(at: UnsafeRawPointer)
    case completion(at: UnsafeRawPointer)
}

/// One subscriber of a subject, as the subject sees it.
@usableFromInline
class SubjectConnection<Output, Failure: Error>: GatedConduit, SlotElement {
    // Set by the subject's list, under the subject's lock. 32 bits, so that it shares a word with `seen`.
    @exclusivity(unchecked) @usableFromInline final var place: Int32 = 0
    // The number of the newest value that was delivered, for subjects that store their value. Used only inside the
    // gate.
    @exclusivity(unchecked) @usableFromInline final var seen: UInt32 = 0
    // The nested deliveries to the subscriber and the values that wait for them; nil if there are neither, which is
    // nearly always: an object on demand keeps the connection small. Used only inside the gate.
    @exclusivity(unchecked) @usableFromInline final var backlog: Backlog<Output, Failure>?
    /// Passes a signal to the subscriber.
    // One closure for values and completions, because each closure takes two words of every connection.
    @usableFromInline final let pass: (SubjectConnection, SubjectSignal) -> Subscribers.Demand

    @inlinable
    init(
        respond: @escaping (Conduit, Command) -> Void,
        pass: @escaping (SubjectConnection, SubjectSignal) -> Subscribers.Demand
    ) {
        self.pass = pass
        super.init(respond)
    }

    @inlinable final var slot: Int {
        get { Int(place) }
        set { place = Int32(truncatingIfNeeded: newValue) }
    }

    /// Delivers `value` if the subscriber has demand, and drops it otherwise.
    @inlinable
    final func offer(_ value: Output) {
        let outermost = enter()
        // Demand is taken before the delivery, so that a value sent from inside it cannot use the same demand again.
        if demand.take() {
            let more = deliver(value, outermost)
            if more.rawValue > 0 { demand.add(more) }
        }
        exit(outermost)
    }

    /// Delivers `value` regardless of demand.
    @inlinable
    final func signal(_ value: Output) {
        let outermost = enter()
        if !demand.isEnded { _ = deliver(value, outermost) }
        exit(outermost)
    }

    /// Delivers `value` inside the gate, after its demand has been taken.
    ///
    /// - Parameter outermost: Whether no other delivery to the subscriber is in progress.
    @inlinable
    final func deliver(_ value: Output, _ outermost: Bool) -> Subscribers.Demand {
        if outermost, backlog == nil { return withUnsafePointer(to: value) { pass(self, .value(at: $0)) } }
        return deliverInside(value)
    }

    /// Delivers `value` immediately, or after the deliveries in progress have returned if they are nested too deeply.
    // Not inlined: nested deliveries are rare, and `offer` is inlined into every client.
    @inlinable
    @inline(never)
    final func deliverInside(_ value: Output) -> Subscribers.Demand {
        let current = backlog ?? Backlog()
        backlog = current
        if current.isEmpty, current.depth < Nesting.limit {
            current.depth += 1
            defer {
                current.depth -= 1
                if current.depth == 0, current.isEmpty { backlog = nil }
            }
            return withUnsafePointer(to: value) { pass(self, .value(at: $0)) }
        }
        current.values.append(value)
        // The outermost exit from the gate finds the mark and delivers the backlog.
        _ = gate.leaveMark()
        return .none
    }

    /// Inside the gate, with no delivery in progress: delivers the postponed values in order, and then the completion.
    @usableFromInline
    final func deliverBacklog() {
        while let waiting = backlog, !demand.isEnded {
            let value = waiting.values.removeFirst()
            // Cleared before the last of these deliveries: a value that is sent from inside it has nothing left to wait
            // for.
            if waiting.values.isEmpty, waiting.completion == nil || value == nil { backlog = nil }
            if let value {
                demand.add(withUnsafePointer(to: value) { pass(self, .value(at: $0)) })
            } else if let completion = waiting.completion {
                finish(completion)
            }
        }
    }

    @inlinable
    final func finish(_ completion: Subscribers.Completion<Failure>) {
        let outermost = enter()
        if let backlog, !backlog.isEmpty {
            // The completion was sent after the values in the backlog and must not overtake them.
            backlog.completion = completion
            _ = gate.leaveMark()
        } else if demand.end() {
            withUnsafePointer(to: completion) { _ = pass(self, .completion(at: $0)) }
            releaseReferences()
        }
        exit(outermost)
    }
}

/// The nested deliveries to a subscriber, with the values and the completion that were sent when they were nested too
/// deeply.
@usableFromInline
final class Backlog<Output, Failure: Error> {
    /// The number of deliveries in progress inside the outermost one.
    @usableFromInline var depth = 0
    @usableFromInline var values = Queue<Output>()
    @usableFromInline var completion: Subscribers.Completion<Failure>?

    /// Whether nothing is waiting.
    @inlinable var isEmpty: Bool { values.isEmpty && completion == nil }

    @inlinable
    init() {}
}

/// A ``SubjectConnection`` that knows the types of the subject and the subscriber.
@usableFromInline
final class Connection<Origin: SubjectOrigin, S: Subscriber>: SubjectConnection<S.Input, S.Failure>
where Origin.Output == S.Input, Origin.Failure == S.Failure {
    @usableFromInline let lock = WordLock()
    // Guarded by `lock`. Not by the gate: a request must reach the subject while a delivery is in progress, without
    // waiting for it.
    @exclusivity(unchecked) @usableFromInline var origin: Origin?
    // Used only inside the gate until the connection ends, and released afterwards.
    @exclusivity(unchecked) @usableFromInline var subscriber: S?

    @inlinable
    init(_ origin: Origin, _ subscriber: S) {
        self.origin = origin
        self.subscriber = subscriber
        super.init(
            respond: { unsafeDowncast($0, to: Connection<Origin, S>.self).handle($1) },
            pass: { unsafeDowncast($0, to: Connection<Origin, S>.self).receive($1) })
    }

    @usableFromInline override var description: String { LinkName.of(Origin.self) }

    @usableFromInline override var customMirror: Mirror {
        let source = lock.withLock { origin }
        return mirror(
            Origin.children(source as Any, subscriber as Any, Subscribers.Demand(outstanding: demand.current)))
    }

    /// Sends the subscription to the subscriber. Must be called inside the gate.
    @inlinable
    func open() {
        subscriber?.receive(subscription: self)
    }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more):
            lock.withLock { origin }?.grant(more, to: self)
        case .cancel:
            guard demand.end() else { return }
            lock.withLock { origin }?.detach(self)
            releaseReferences()
        case .drainPending:
            if demand.isEnded {
                release()
            } else {
                deliverBacklog()
                lock.withLock { origin }?.catchUp(self)
            }
        }
    }

    /// Passes a signal to the subscriber. Must be called inside the gate.
    @inlinable
    func receive(_ signal: SubjectSignal) -> Subscribers.Demand {
        switch signal {
        case .value(let place):
            return subscriber?.receive(place.assumingMemoryBound(to: S.Input.self).pointee) ?? .none
        case .completion(let place):
            complete(at: place)
            return .none
        }
    }

    /// Passes a completion to the subscriber.
    // Separate from `receive(_:)`: unspecialized code then looks up the completion's type here only, not for each
    // value.
    @inlinable
    @inline(never)
    func complete(at place: UnsafeRawPointer) {
        let completion = place.assumingMemoryBound(to: Subscribers.Completion<S.Failure>.self)
        subscriber?.receive(completion: completion.pointee)
    }

    @inlinable
    func release() {
        let formerOrigin = lock.withLock {
            let former = origin
            origin = nil
            return former
        }
        let formerSubscriber = subscriber
        subscriber = nil
        let formerBacklog = backlog
        backlog = nil
        // All three are released only now, with no lock held and the properties cleared: a `deinit` may run foreign
        // code that calls back into this connection.
        withExtendedLifetime((formerOrigin, formerSubscriber, formerBacklog)) {}
    }
}
