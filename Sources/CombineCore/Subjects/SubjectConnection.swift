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

    /// Forgets `connection`, which has been cancelled.
    func detach(_ connection: SubjectConnection<Output, Failure>)
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
    @exclusivity(unchecked) @usableFromInline final var slot = 0
    /// The number of the newest value that was delivered, for subjects that keep their value. Used inside the gate.
    @exclusivity(unchecked) @usableFromInline final var seen = 0
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

    /// Delivers `value` if the subscriber has asked for one; drops it otherwise.
    @inlinable
    final func offer(_ value: Output) {
        let outermost = enter()
        if demand.take() {
            let more = deliver(value)
            if more.rawValue > 0 { demand.add(more) }
        }
        exit(outermost)
    }

    /// Inside the gate, once the value has been accounted for.
    @inlinable
    final func deliver(_ value: Output) -> Subscribers.Demand {
        withUnsafePointer(to: value) { pass(self, .value(at: $0)) }
    }

    @inlinable
    final func finish(_ completion: Subscribers.Completion<Failure>) {
        let outermost = enter()
        if demand.end() {
            withUnsafePointer(to: completion) { _ = pass(self, .completion(at: $0)) }
            letGo()
        }
        exit(outermost)
    }
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
        let demand = Subscribers.Demand(outstanding: demand.current)
        return Mirror(
            self,
            children: ["parent": subject, "downstream": subscriber as Any, "demand": demand, "subject": subject])
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
            more.requireSome()
            lock.withLock { origin }?.grant(more, to: self)
        case .cancel:
            guard demand.end() else { return }
            lock.withLock { origin }?.detach(self)
            letGo()
        case .attend:
            if demand.isEnded {
                release()
            } else {
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
        withExtendedLifetime((formerOrigin, formerSubscriber)) {}
    }
}
