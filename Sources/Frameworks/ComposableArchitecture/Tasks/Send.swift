import Locking

/// A function with which a task effect sends actions to its store.
///
/// `await send(.response(value))` returns when the store has processed the action. After the task has been cancelled,
/// actions are ignored.
///
/// So an action may cancel the task that sends it. A ``TestStore`` processes actions during its steps and while the test waits for a
/// `TestClock` or `TestScheduler`; while the test waits for something else, sending returns before the action has been processed.
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

extension Send {
    /// Sends an action to the store. The animation has no effect: the client decides how it shows changes.
    public func callAsFunction(_ action: sending Action, animation: Animation?) async {
        await self(action)
    }

    /// Sends an action to the store. The transaction has no effect: the client decides how it shows changes.
    public func callAsFunction(_ action: sending Action, transaction: Transaction) async {
        await self(action)
    }
}
