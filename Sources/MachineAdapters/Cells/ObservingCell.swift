import CombineCore
import MachineHost

/// A cell that is told by a publisher when its output changes. It keeps the subscription, and the subscription it, until
/// the session ends or the publisher does.
class ObservingCell<Value, Failure: Error>: OutputCell, Subscriber, EndableCell {
    typealias Input = Value

    /// Weak, since a value can be on its way from another thread when the session ends.
    private weak var board: OutputBoard?
    final let writer: ValueWriter<Value>
    /// Kept as an object, which takes a word where an existential takes five: every output of every session has one.
    private var subscription: AnyObject?

    init(writer: ValueWriter<Value>, place: CellPlace) {
        self.writer = writer
        board = place.board
        super.init(index: place.index)
    }

    /// Takes what was sent: on the session's loop.
    func take(_ value: Value, on board: OutputBoard) {
        preconditionFailure("\(Self.self) has to say what it does with a value")
    }

    final func receive(subscription: any Subscription) {
        self.subscription = subscription as AnyObject
        subscription.request(.unlimited)
    }

    final func receive(_ value: Value) -> Subscribers.Demand {
        guard let board else { return .none }
        if board.isOnLoop {
            take(value, on: board)
        } else {
            board.perform { [weak self] in
                guard let self, let board = self.board, subscription != nil else { return }
                take(value, on: board)
            }
        }
        return .none
    }

    /// The last value stays. A failure is for the log: the machine cannot be asked what it means.
    final func receive(completion: Subscribers.Completion<Failure>) {
        subscription = nil
        if case .failure(let error) = completion { board?.reportFailure(of: self, error) }
    }

    final func end() {
        let ended = subscription as? any Subscription
        subscription = nil
        ended?.cancel()
    }
}

/// A cell that has something to let go when the session ends.
protocol EndableCell: OutputCell {
    func end()
}
