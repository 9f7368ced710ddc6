import Locking

extension Effect where Failure == Never {
    /// An effect that is a task, which sends as many actions as it likes.
    ///
    /// The task is started when the effect is, and is cancelled with it. What it sends arrives where the store's work is
    /// done: in a hosted session as turns of the session, elsewhere on the main queue.
    ///
    /// - Parameters:
    ///   - priority: The priority of the task.
    ///   - operation: What the task does.
    ///   - handler: What is done with an error that `operation` throws, other than that it was cancelled. Without a handler
    ///     such an error is reported as a mistake.
    ///   - file: Where the effect is made.
    ///   - line: Where the effect is made.
    public static func run(
        priority: TaskPriority? = nil, operation: @escaping @Sendable (Send<Output>) async throws -> Void,
        catch handler: (@Sendable (any Error, Send<Output>) async -> Void)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Effect {
        .attached { downstream, home in
            let channel = EffectChannel(downstream)
            downstream.receive(subscription: channel)
            channel.startWork {
                let send = Send<Output> { action in await home.hand { channel.send(action.value) } }
                let task = Task(priority: priority) {
                    await attempt(operation, send, handler, file: file, line: line)
                    home.deliver { channel.send(completion: .finished) }
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

    /// An effect that is a task, which sends the action that it returns.
    ///
    /// An error that it throws is made an action by `handler`; without one it is reported as a mistake.
    public static func task(
        priority: TaskPriority? = nil, operation: @escaping @Sendable () async throws -> sending Output,
        catch handler: (@Sendable (any Error) async -> sending Output)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> Effect {
        .attached { downstream, home in
            let channel = EffectChannel(downstream)
            downstream.receive(subscription: channel)
            channel.startWork {
                let task = Task(priority: priority) {
                    let action = await attempt(operation, handler, file: file, line: line)
                    home.deliver {
                        if let action { channel.send(action.value) }
                        channel.send(completion: .finished)
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

    private static func reportUncaught(_ error: any Error, file: StaticString, line: UInt) {
        let summary = "an effect threw an error that nobody catches"
        Issues.report(
            "\(summary): \(error)", summary: "\(summary), of type \(type(of: error))", severity: .warning, file: file,
            line: line)
    }

    /// An effect that is a task, which sends nothing. Errors are ignored.
    public static func fireAndForget(
        priority: TaskPriority? = nil, _ work: @escaping @Sendable () async throws -> Void
    ) -> Effect {
        run(priority: priority, operation: { _ in try await work() }, catch: { _, _ in })
    }
}
