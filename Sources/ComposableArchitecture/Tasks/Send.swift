import Locking

/// What an effect that is a task sends its actions with.
///
/// `await send(.response(value))` returns when the store has worked the action off. After the task has been cancelled
/// nothing is sent any more.
public struct Send<Action>: Sendable {
    private let deliver: @Sendable (UnsafeTransfer<Action>) async -> Void

    init(_ deliver: @escaping @Sendable (UnsafeTransfer<Action>) async -> Void) {
        self.deliver = deliver
    }

    /// Makes one that passes actions on to a function, for effects that are tested by hand.
    public init(send: @escaping @Sendable (Action) async -> Void) {
        deliver = { await send($0.value) }
    }

    /// Sends an action to the store.
    public func callAsFunction(_ action: sending Action) async {
        guard !Task.isCancelled else { return }
        await deliver(UnsafeTransfer(action))
    }
}
