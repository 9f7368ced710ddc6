public import Locking

/// A publisher that delivers one value, or fails, once its promise is kept; the result is replayed to everybody.
public final class Future<Output, Failure: Error>: Publisher {
    /// Keeps the promise; all calls but the first do nothing.
    public typealias Promise = (Result<Output, Failure>) -> Void

    @usableFromInline let lock = WordLock()
    /// These are guarded by `lock`.
    @exclusivity(unchecked) private var result: Result<Output, Failure>?
    @exclusivity(unchecked) private var waiting = SlotList<SubjectConnection<Output, Failure>>()

    /// Runs `attemptToFulfill` at once, and only once, with the promise to keep.
    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
        attemptToFulfill { self.fulfill($0) }
    }

    deinit {
        stayOutOfClients()
    }

    /// Attaches `subscriber`, which gets the result as soon as there is one and it has asked.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
        let connection = Connection(self, subscriber)
        // A failure that another thread promises meanwhile has to wait until the subscription has been handed over.
        let outermost = connection.enter()
        add(connection)
        connection.open()
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

    /// Delivers the result if there is one; a value waits for demand, a failure does not.
    @usableFromInline
    func catchUp(_ connection: SubjectConnection<Output, Failure>) {
        guard let result = lock.withLock({ result }) else { return }
        let passage = connection.gate.enterOrMark()
        if passage == .refused { return }
        switch result {
        case .success(let value):
            if connection.demand.current > 0 {
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

    /// A future needs to know only whether anything has been asked for.
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
