public import Locking

/// A publisher that delivers one value or fails, once its promise is fulfilled. It replays the result to every
/// subscriber.
public final class Future<Output, Failure: Error>: Publisher {
    /// The closure that fulfills the promise. All calls but the first have no effect.
    public typealias Promise = (Result<Output, Failure>) -> Void

    @usableFromInline let lock = WordLock()
    // Guarded by `lock`, which makes every access exclusive.
    @exclusivity(unchecked) private var result: Result<Output, Failure>?
    @exclusivity(unchecked) private var waiting = SlotList<SubjectConnection<Output, Failure>>()

    /// Creates a future and immediately calls `attemptToFulfill`, once, with its promise.
    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
        attemptToFulfill { self.fulfill($0) }
    }

    /// Attaches `subscriber`, which receives the result once it is available and has been requested.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
        let connection = Connection(self, subscriber)
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
            if result == nil { waiting.append(connection) }
        }
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

extension Future: SubjectOrigin {
    @usableFromInline
    func grant(_ demand: Subscribers.Demand, to connection: SubjectConnection<Output, Failure>) {
        demand.requirePositive()
        connection.demand.add(demand)
        catchUp(connection)
    }

    /// Delivers the result, if there is one. A value waits for demand; a failure does not.
    @usableFromInline
    func catchUp(_ connection: SubjectConnection<Output, Failure>) {
        guard let result = lock.withLock({ result }) else { return }
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

    /// Returns the child that shows whether anything has been requested, which is all that a future needs to know.
    @usableFromInline
    static func child(for demand: Subscribers.Demand) -> Mirror.Child {
        ("hasAnyValueBeenRequested", demand > 0)
    }

    @usableFromInline
    func detach(_ connection: SubjectConnection<Output, Failure>) {
        let removed = lock.withLock { waiting.remove(connection) }
        withExtendedLifetime(removed) {}
    }
}
