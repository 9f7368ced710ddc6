/// Starts a task that nobody waits for; in a test, runs its work instead, so that the test can check the result.
public struct FireAndForget: Sendable {
    /// Starts or runs the work of a task with a priority.
    public let operation: @Sendable (TaskPriority?, @Sendable @escaping () async throws -> Void) async -> Void

    /// Creates a value that calls a closure.
    public init(
        _ operation: @escaping @Sendable (TaskPriority?, @Sendable @escaping () async throws -> Void) async -> Void
    ) {
        self.operation = operation
    }

    /// Starts a task. Errors are ignored.
    public func callAsFunction(
        priority: TaskPriority? = nil, @_inheritActorContext _ operation: @Sendable @escaping () async throws -> Void
    ) async {
        await self.operation(priority, operation)
    }
}

private enum FireAndForgetKey: DependencyKey {
    static var liveValue: FireAndForget {
        FireAndForget { priority, operation in
            Task(priority: priority) { try await operation() }
        }
    }

    static var testValue: FireAndForget {
        FireAndForget { _, operation in
            try? await operation()
        }
    }
}

extension DependencyValues {
    /// Starts tasks that nobody waits for. In a test, the caller waits until the task has ended.
    ///
    /// The task of a hosted session outlives the session. Prefer effects, which end with it.
    public var fireAndForget: FireAndForget {
        get { self[FireAndForgetKey.self] }
        set { self[FireAndForgetKey.self] = newValue }
    }
}
