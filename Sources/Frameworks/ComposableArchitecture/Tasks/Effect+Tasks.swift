import Locking

extension Effect where Failure == Never {
    /// Creates an effect that runs a task, which can send any number of actions.
    ///
    /// The task starts and is cancelled with the effect. Its actions arrive where the store is confined: as turns of
    /// the session in a hosted session, otherwise on the main queue. It reads the dependencies that apply where the
    /// effect is created.
    ///
    /// - Parameters:
    ///   - priority: The priority of the task.
    ///   - name: The name of the task, for debuggers.
    ///   - operation: The work of the task.
    ///   - handler: Handles an error that `operation` throws, other than `CancellationError`. Without a handler such an
    ///     error is reported as an issue.
    ///   - file: The file that issues are attributed to.
    ///   - line: The line that issues are attributed to.
    public static func run(
        priority: TaskPriority? = nil, name: String? = nil,
        operation: @escaping @Sendable (Send<Output>) async throws -> Void,
        catch handler: (@Sendable (any Error, Send<Output>) async -> Void)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Effect {
        .withDependenciesOfCreation { downstream, scope in
            let channel = EffectChannel(downstream)
            downstream.receive(subscription: channel)
            channel.startWork {
                let send = Send<Output> { action in
                    if channel.hasCompleted { return reportLate(file: file, line: line) }
                    await scope.deliverAndWait { channel.send(action.value) }
                }
                let task = scope.start {
                    Task(name: name, executorPreference: scope.taskExecutor, priority: priority) {
                        await attempt(operation, send, handler, file: file, line: line)
                        scope.deliver { channel.send(completion: .finished) }
                    }
                }
                return RunningTask { task.cancel() }
            }
        }
    }

    private static func attempt(
        _ operation: @Sendable (Send<Output>) async throws -> Void, _ send: Send<Output>,
        _ handler: (@Sendable (any Error, Send<Output>) async -> Void)?, file: StaticString, line: UInt
    ) async {
        do {
            try await operation(send)
        } catch is CancellationError {
            return
        } catch {
            guard let handler else { return reportUncaught(error, file: file, line: line) }
            await handler(error, send)
        }
    }

    /// Creates an effect that runs a task and sends the action that it returns.
    ///
    /// `handler` turns a thrown error into an action. Without a handler the error is reported as an issue. The task reads
    /// the dependencies that apply where the effect is created.
    public static func task(
        priority: TaskPriority? = nil, operation: @escaping @Sendable () async throws -> sending Output,
        catch handler: (@Sendable (any Error) async -> sending Output)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Effect {
        .withDependenciesOfCreation { downstream, scope in
            let channel = EffectChannel(downstream)
            downstream.receive(subscription: channel)
            channel.startWork {
                let task = scope.start {
                    Task(executorPreference: scope.taskExecutor, priority: priority) {
                        let action = await attempt(operation, handler, file: file, line: line)
                        scope.deliver {
                            if let action { channel.send(action.value) }
                            channel.send(completion: .finished)
                        }
                    }
                }
                return RunningTask { task.cancel() }
            }
        }
    }

    private static func attempt(
        _ operation: @Sendable () async throws -> sending Output,
        _ handler: (@Sendable (any Error) async -> sending Output)?, file: StaticString, line: UInt
    ) async -> UnsafeTransfer<Output>? {
        do {
            return UnsafeTransfer(try await operation())
        } catch is CancellationError {
            return nil
        } catch {
            if let handler { return UnsafeTransfer(await handler(error)) }
            reportUncaught(error, file: file, line: line)
            return nil
        }
    }

    private static func reportLate(file: StaticString, line: UInt) {
        Issues.report(
            "expected actions until the end of the effect, got one afterwards: wait in the effect for the tasks that it starts",
            severity: .warning, file: file, line: line)
    }

    private static func reportUncaught(_ error: any Error, file: StaticString, line: UInt) {
        let summary = "an effect threw an error that is not caught"
        Issues.report(
            "\(summary): \(error)", summary: "\(summary), of type \(type(of: error))", severity: .warning, file: file,
            line: line)
    }

    /// Creates an effect that runs a task and sends no action. Errors are ignored.
    public static func fireAndForget(
        priority: TaskPriority? = nil, _ work: @escaping @Sendable () async throws -> Void
    ) -> Effect {
        run(priority: priority, operation: { _ in try await work() }, catch: { _, _ in })
    }
}
