public import Locking

/// A source that hands its values to connections.
@usableFromInline
protocol SubjectOrigin<Output, Failure>: AnyObject {
    associatedtype Output
    associatedtype Failure: Error

    /// Grants `connection` the right to `demand` more values.
    func grant(_ demand: Subscribers.Demand, to connection: SubjectConnection<Output, Failure>)

    /// Does for `connection` what was put off while another thread was delivering to it.
    func catchUp(_ connection: SubjectConnection<Output, Failure>)

    /// What a mirror of a connection shows of a demand.
    static func child(for demand: Subscribers.Demand) -> Mirror.Child

    /// Forgets `connection`, which has been cancelled.
    func detach(_ connection: SubjectConnection<Output, Failure>)
}

extension SubjectOrigin {
    @usableFromInline
    static func child(for demand: Subscribers.Demand) -> Mirror.Child { ("demand", demand) }
}

/// Where what a subject hands to a connection lies: a value or a completion of the connection's types.
///
/// It is not generic itself, so that code that is not specialised has no type to look up for each value.
@usableFromInline
@frozen
enum SubjectSignal {
    case value(at: UnsafeRawPointer)
    case completion(at: UnsafeRawPointer)
}

/// One subscriber of a subject, as the subject sees it.
@usableFromInline
class SubjectConnection<Output, Failure: Error>: GatedConduit, SlotElement {
    /// Kept by the subject's list, under the subject's lock.
    @exclusivity(unchecked) @usableFromInline final var place: Int32 = 0
    /// The number of the newest value that was delivered, for subjects that keep their value. Used inside the gate.
    @exclusivity(unchecked) @usableFromInline final var seen: UInt32 = 0
    /// The nested deliveries to the subscriber and what waits for them; nil if there is neither. Used inside the gate.
    @exclusivity(unchecked) @usableFromInline final var backlog: Backlog<Output, Failure>?
    /// Hands a signal to the subscriber; one function for both kinds, since each takes two words of every connection.
    @usableFromInline final let pass: (SubjectConnection, SubjectSignal) -> Subscribers.Demand

    @inlinable
    init(
        respond: @escaping (Conduit, Command) -> Void,
        pass: @escaping (SubjectConnection, SubjectSignal) -> Subscribers.Demand
    ) {
        self.pass = pass
        super.init(respond)
    }

    @usableFromInline deinit {
        stayOutOfClients()
    }

    @inlinable final var slot: Int {
        get { Int(place) }
        set { place = Int32(truncatingIfNeeded: newValue) }
    }

    /// Delivers `value` if the subscriber has asked for one; drops it otherwise.
    @inlinable
    final func offer(_ value: Output) {
        let outermost = enter()
        if demand.take() {
            let more = deliver(value, outermost)
            if more.rawValue > 0 { demand.add(more) }
        }
        exit(outermost)
    }

    /// Delivers `value` whatever the subscriber has asked for.
    @inlinable
    final func signal(_ value: Output) {
        let outermost = enter()
        if !demand.isEnded { _ = deliver(value, outermost) }
        exit(outermost)
    }

    /// Inside the gate, once the value has been accounted for.
    ///
    /// - Parameter outermost: Whether no other delivery to the subscriber is in progress.
    @inlinable
    final func deliver(_ value: Output, _ outermost: Bool) -> Subscribers.Demand {
        if outermost, backlog == nil { return withUnsafePointer(to: value) { pass(self, .value(at: $0)) } }
        return deliverInside(value)
    }

    /// Delivers `value` at once, or once the deliveries in progress have returned if they are nested too deep.
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
        _ = gate.leaveMark()
        return .none
    }

    /// Inside the gate, with no delivery in progress: delivers what has been put off, in its order.
    @usableFromInline
    final func deliverBacklog() {
        while let waiting = backlog, !demand.isEnded {
            let value = waiting.values.removeFirst()
            // What is sent from inside the last of these deliveries need not wait behind anything.
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
            backlog.completion = completion
            _ = gate.leaveMark()
        } else if demand.end() {
            withUnsafePointer(to: completion) { _ = pass(self, .completion(at: $0)) }
            releaseReferences()
        }
        exit(outermost)
    }
}

/// The nested deliveries to a subscriber, and the values, and perhaps the end, that were sent from inside too many.
@usableFromInline
final class Backlog<Output, Failure: Error> {
    /// How many deliveries are in progress inside the outermost one.
    @usableFromInline var depth = 0
    @usableFromInline var values = Queue<Output>()
    @usableFromInline var completion: Subscribers.Completion<Failure>?

    /// Whether nothing waits.
    @inlinable var isEmpty: Bool { values.isEmpty && completion == nil }

    @inlinable
    init() {}
}

/// A ``SubjectConnection`` that knows the types of both ends.
@usableFromInline
final class Connection<Origin: SubjectOrigin, S: Subscriber>: SubjectConnection<S.Input, S.Failure>
where Origin.Output == S.Input, Origin.Failure == S.Failure {
    @usableFromInline let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) @usableFromInline var origin: Origin?
    /// Used inside the gate until the link ends, let go of afterwards.
    @exclusivity(unchecked) @usableFromInline var subscriber: S?

    @inlinable
    init(_ origin: Origin, _ subscriber: S) {
        self.origin = origin
        self.subscriber = subscriber
        super.init(
            respond: { unsafeDowncast($0, to: Connection<Origin, S>.self).handle($1) },
            pass: { unsafeDowncast($0, to: Connection<Origin, S>.self).receive($1) })
    }

    @usableFromInline deinit {
        stayOutOfClients()
    }

    @usableFromInline override var description: String { LinkName.of(Origin.self) }

    @usableFromInline override var customMirror: Mirror {
        let subject = lock.withLock { origin } as Any
        let demand = Origin.child(for: Subscribers.Demand(outstanding: demand.current))
        let children: [Mirror.Child] = [
            ("parent", subject), ("downstream", subscriber as Any), demand, ("subject", subject),
        ]
        return Mirror(self, children: children)
    }

    /// Hands the subscription over; inside the gate.
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

    /// Inside the gate.
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

    /// Apart from ``receive(_:)``, so that code that is not specialised looks the type of completions up here only.
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
        withExtendedLifetime((formerOrigin, formerSubscriber, formerBacklog)) {}
    }
}
