package import CombineCore
package import MachineHost

/// A cell that subscribes to a publisher. The cell and the subscription retain each other until the session ends or the
/// publisher completes.
package class ObservingCell<Value, Failure: Error>: OutputCell, Subscriber, EndableCell {
    // Weak: a value may be in flight from another thread when the session ends.
    private weak var board: OutputBoard?
    final let writer: ValueWriter<Value>
    // An object reference takes one word and an existential five, and every output of every session has a subscription.
    private var subscription: AnyObject?
    private var hasEnded = false

    init(writer: ValueWriter<Value>, place: CellPlace) {
        self.writer = writer
        board = place.board
        super.init(index: place.index)
    }

    /// Processes a value, on the session's loop.
    func take(_ value: Value, on board: OutputBoard) {
        preconditionFailure("\(Self.self) must override take(_:on:)")
    }

    /// Requests all values, on the session's loop.
    package final func receive(subscription: any Subscription) {
        guard let board else { return subscription.cancel() }
        if board.isOnLoop { return begin(subscription, subscription as AnyObject) }
        // The board drops the closure if the session has ended, and its source may outlive the session.
        let owner = AnyCancellable(subscription)
        board.perform { [weak self] in self?.begin(subscription, owner) }
    }

    /// Keeps the first subscription by its owner, which cancels it. Cancels any other one, and one that arrives after the end.
    private func begin(_ subscription: any Subscription, _ owner: AnyObject) {
        guard !hasEnded, self.subscription == nil else { return (owner as? any Cancellable)?.cancel() ?? () }
        self.subscription = owner
        subscription.request(.unlimited)
    }

    /// Processes a value on the session's loop.
    package final func receive(_ value: Value) -> Subscribers.Demand {
        guard let board else { return .none }
        if board.isOnLoop {
            board.performTransfers()
            take(value, on: board)
        } else {
            board.perform { [weak self] in
                // The session may have ended, or the publisher completed, while the value was in flight.
                guard let self, let board = self.board, subscription != nil else { return }
                take(value, on: board)
            }
        }
        return .none
    }

    /// Keeps the last value and logs a failure. It does not end the session, because the host cannot know whether the
    /// failure matters.
    package final func receive(completion: Subscribers.Completion<Failure>) {
        guard let board else { return }
        // After the values that are in flight.
        board.perform { [weak self] in
            guard let self else { return }
            subscription = nil
            if case .failure(let error) = completion { self.board?.reportFailure(of: self, error) }
        }
    }

    final func end() {
        hasEnded = true
        let ended = subscription as? any Cancellable
        // Cleared first: cancelling may send a completion, which must be ignored.
        subscription = nil
        ended?.cancel()
    }
}

/// A cell that holds resources to be released when the session ends.
protocol EndableCell: OutputCell {
    func end()
}
