import Locking

/// A function with which a task effect sends actions to its store.
///
/// `await send(.response(value))` returns when the store has processed the action. After the task has been cancelled,
/// actions are ignored.
public struct Send<Action>: Sendable {
    private let deliver: @Sendable (UnsafeTransfer<Action>) async -> Void

    init(_ deliver: @escaping @Sendable (UnsafeTransfer<Action>) async -> Void) {
        self.deliver = deliver
    }

    /// Creates a function that forwards actions to a closure, for testing effects in isolation.
    public init(send: @escaping @Sendable (Action) async -> Void) {
        deliver = { await send($0.value) }
    }

    /// Sends an action to the store.
    public func callAsFunction(_ action: sending Action) async {
        guard !Task.isCancelled else { return }
        await deliver(UnsafeTransfer(action))
    }
}
