public import Locking
public import StateCapture

/// A publisher that delivers one value or fails, once its promise is fulfilled. It replays the result to every
/// subscriber.
public final class Future<Output, Failure: Error>: Publisher {
    /// The closure that fulfills the promise. All calls but the first have no effect.
    public typealias Promise = (Result<Output, Failure>) -> Void

    @usableFromInline let lock = WordLock()
    // Guarded by `lock`, which makes every access exclusive.
    @exclusivity(unchecked) private var result: Result<Output, Failure>?
    @exclusivity(unchecked) private var waiting = SlotList<SubjectConnection<Output, Failure>>()
    @exclusivity(unchecked) private var isRegistered = false
    /// Whether the closure has not run, because it had run before a machine was restored.
    private var isInterrupted = false

    /// Creates a future and immediately calls `attemptToFulfill`, once, with its promise.
    ///
    /// While a session is restored, the closure does not run: it did so before, and its work would be done twice. A future
    /// whose result was captured keeps it. Any other one finishes without a value after the machine is wired, and its work
    /// is reported as interrupted.
    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
        if let registry = StateRegistry.current {
            registry.register(created: self, named: Future.keyName)
            if registry.isRestoring {
                isInterrupted = true
            } else {
                // What the closure subscribes to is no part of the machine, because a restored machine does not run it.
                StateRegistry.withoutRegistry { attemptToFulfill { self.fulfill($0) } }
            }
        } else {
            attemptToFulfill { self.fulfill($0) }
        }
    }

    /// Attaches `subscriber`, which receives the result once it is available and has been requested.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
        if StateRegistry.isWiring { return receiveWhileWiring(subscriber) }
        attach(Connection(self, subscriber), subscriber)
    }

    /// Opens and attaches a connection.
    @inlinable
    @inline(__always)
    func attach<S: Subscriber>(_ connection: Connection<Future, S>, _ subscriber: S)
    where S.Input == Output, S.Failure == Failure {
        // Enter the gate first: from `add` on, another thread may fulfill the promise with a failure, which then waits
        // at the gate until the subscriber has received its subscription.
        let outermost = connection.enter()
        add(connection)
        connection.open()
        // The promise may have been fulfilled before `add`, in which case no other thread delivers the result.
        catchUp(connection)
        connection.exit(outermost)
    }

    @usableFromInline
    func add(_ connection: SubjectConnection<Output, Failure>) {
        lock.withLock {
            if result == nil, !isInterrupted { waiting.append(connection) }
        }
    }

    @usableFromInline
    func attach(restored connection: SubjectConnection<Output, Failure>) {
        add(connection)
        catchUp(connection)
    }

    @usableFromInline
    func willRegister(with registry: StateRegistry) {
        let isFirst = lock.withLock {
            defer { isRegistered = true }
            return !isRegistered
        }
        if isFirst { registry.register(subscribed: self) }
    }

    @usableFromInline
    func reportInterruption(to registry: StateRegistry) {
        let isOver = lock.withLock { !isInterrupted || result != nil }
        if !isOver { registry.addInterruptedWork([InterruptedWork(name: "Future")]) }
    }

    private func fulfill(_ result: Result<Output, Failure>) {
        let former = lock.withLock { () -> SlotList<SubjectConnection<Output, Failure>> in
            guard self.result == nil else { return SlotList() }
            self.result = result
            return waiting.takeAll()
        }
        former.forEach { catchUp($0) }
    }
}

extension Future: PostponingOrigin {
    @usableFromInline
    func grant(_ demand: Subscribers.Demand, to connection: SubjectConnection<Output, Failure>) {
        demand.requirePositive()
        connection.demand.add(demand)
        catchUp(connection)
    }

    /// Delivers the result, if there is one. A value waits for demand; a failure does not.
    @usableFromInline
    func catchUp(_ connection: SubjectConnection<Output, Failure>) {
        if StateRegistry.isRestoring { return }
        let (found, isInterrupted) = lock.withLock { (self.result, self.isInterrupted) }
        guard let result = found else {
            // Nothing would ever end it, and an operator that awaits its end, such as `concatMap`, would wait forever.
            if isInterrupted { connection.finish(.finished) }
            return
        }
        let passage = connection.gate.enterOrMark()
        if passage == .refused { return }
        switch result {
        case .success(let value):
            if connection.demand.current > 0 {
                // `seen` counts the deliveries, so that a second request does not deliver the value again.
                connection.seen += 1
                if connection.seen == 1 {
                    _ = connection.deliver(value, true)
                    connection.finish(.finished)
                }
            }
        case .failure(let error): connection.finish(.failure(error))
        }
        connection.exit(passage == .outermost)
    }

    /// Returns the children of the mirror of a connection: whether anything has been requested is all that a future needs to
    /// know of the demand.
    @usableFromInline
    static func children(_ source: Any, _ subscriber: Any, _ demand: Subscribers.Demand) -> [Mirror.Child] {
        [("parent", source), ("downstream", subscriber), ("hasAnyDemand", demand > 0), ("subject", source)]
    }

    @usableFromInline
    func detach(_ connection: SubjectConnection<Output, Failure>) {
        let removed = lock.withLock { waiting.remove(connection) }
        withExtendedLifetime(removed) {}
    }
}

/// The captured state of a future.
public struct StoredFuture<Output, Failure: Error>: Codable {
    var value: StoredOptional<Output>
    var failure: StoredCompletion<Failure>?
}

extension Future: StatefulPart {
    /// The name of the publisher.
    public static var partName: StaticString { "Future" }

    /// The type of the value.
    public static var valueTypes: [any Any.Type] { [Output.self] }

    /// The result. A future that is not fulfilled when the machine is captured never will be.
    public var partState: StoredFuture<Output, Failure>? { heldState }

    /// Puts the result back without delivering it.
    public func restore(_ state: StoredFuture<Output, Failure>?) {
        if let state { restoreHeld(state) }
    }
}

// A future that nothing has subscribed to while the machine was wired has a result, too.
extension Future: StateHolder {
    /// The type of the value.
    public static var heldTypes: [any Any.Type] { [Output.self] }

    /// The result.
    public var heldState: StoredFuture<Output, Failure> {
        switch lock.withLock({ result }) {
        case nil: StoredFuture(value: StoredOptional(nil), failure: nil)
        case .success(let value): StoredFuture(value: StoredOptional(value), failure: nil)
        case .failure(let error): StoredFuture(value: StoredOptional(nil), failure: .failure(error))
        }
    }

    /// Puts the result back without delivering it.
    public func restoreHeld(_ state: StoredFuture<Output, Failure>) {
        let result: Result<Output, Failure>? =
            if let value = state.value.value {
                .success(value)
            } else if case .failure(let error?) = state.failure {
                .failure(error)
            } else {
                nil
            }
        lock.withLock { self.result = result }
    }
}
