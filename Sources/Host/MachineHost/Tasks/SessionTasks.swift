import Locking
import Log
import StateCapture

/// The tasks of a session's asynchronous inputs. Confined to the session's loop.
///
/// A task cannot be captured. Recorded is which inputs were running, so that a restored machine can start them again.
package final class SessionTasks: StatefulPart {
    package static var partName: StaticString { "tasks" }

    private struct Running {
        let name: String
        var task: Task<Void, Never>?
    }

    private let scheduler: SessionScheduler
    private let log: Log
    private var running: [Int: Running] = [:]
    private var last = 0
    private var hasEnded = false
    /// The executors of the functions of an input that belong to no actor: that of the loop if the machine is not `Sendable`.
    private lazy var loopExecutor = SessionTaskExecutor(scheduler, runsOnLoop: true)
    private lazy var poolExecutor = SessionTaskExecutor(scheduler, runsOnLoop: false)

    init(_ scheduler: SessionScheduler, log: Log) {
        self.scheduler = scheduler
        self.log = log
    }

    /// The names of the running inputs, in the order in which they began.
    package var partState: [String]? { running.sorted { $0.key < $1.key }.map(\.value.name) }

    /// True: see ``hasUncapturedWork``.
    package static var mayHaveUncapturedWork: Bool { true }

    /// Whether an input is running, of which only the name is captured.
    package var hasUncapturedWork: Bool { !running.isEmpty }

    /// Records the inputs that were running. They are not running any more.
    package func restore(_ state: [String]?) {
        StateRegistry.current?.addInterruptedWork((state ?? []).map { InterruptedWork(name: $0) })
    }

    /// Starts an asynchronous input of a class that belongs to no actor, inside a turn. All of it runs on the session's loop.
    ///
    /// - Parameters:
    ///   - name: The name of the input.
    ///   - body: The input.
    /// - Returns: The error that was thrown before the first pause; nil if no error was thrown.
    package func start(_ name: String, _ body: @escaping () async throws -> Void) -> (any Error)? {
        scheduler.loop.assertCurrent()
        let (tasks, body) = (UnsafeTransfer(self), UnsafeTransfer(body))
        return start(name) { id, first in
            let first = UnsafeTransfer(first)
            return Task.immediate(executorPreference: loopExecutor) {
                tasks.value.remember()
                do { try await body.value() } catch { first.value.error = error }
                tasks.value.ended(id, first.value)
            }
        }
    }

    /// Starts an asynchronous input of a class that is isolated to the main actor, in the next turn: the runtime does not know that
    /// this one runs on the main actor. What belongs to no actor runs on the thread pool.
    package func startOnMainActor(
        _ name: String, _ body: @escaping @MainActor () async throws -> Void
    ) -> (any Error)? {
        scheduler.loop.assertCurrent()
        let tasks = UnsafeTransfer(self)
        return start(name) { id, first in
            let (first, executor) = (UnsafeTransfer(first), poolExecutor)
            let input: @MainActor @Sendable () async -> Void = {
                tasks.value.remember()
                do { try await body() } catch { first.value.error = error }
                tasks.value.ended(id, first.value)
            }
            return Task.immediate(executorPreference: executor, operation: input)
        }
    }

    private func start(_ name: String, _ begin: (Int, FirstPart) -> Task<Void, Never>) -> (any Error)? {
        guard !hasEnded else { return nil }
        last += 1
        let (id, first) = (last, FirstPart())
        running[id] = Running(name: name)
        let task = begin(id, first)
        first.isOver = true
        running[id]?.task = task
        return first.error
    }

    /// Remembers the task that begins. It may be resumed from anywhere.
    private func remember() {
        if let task = RuntimeTask.current { TaskHomes.remember(task, scheduler) }
    }

    /// Forgets an input, on the session's loop.
    private func ended(_ id: Int, _ first: FirstPart) {
        if let task = RuntimeTask.current { TaskHomes.forget(task) }
        let name = running.removeValue(forKey: id)?.name
        guard first.isOver, let name, let error = first.error, !(error is CancellationError), !hasEnded else { return }
        log.limited(
            .warning, "asynchronous input failed",
            ["session": .text(scheduler.session?.id.hash ?? "none"), "input": .text(name), "error": .error(error)])
    }

    /// Cancels the tasks, because the session has ended.
    package func end() {
        hasEnded = true
        for input in running.values { input.task?.cancel() }
        TaskHomes.cancelTasks(of: scheduler)
    }
}

/// The part of an asynchronous input before its first pause, which belongs to the turn of the input.
private final class FirstPart {
    /// Whether the input has paused, so that its client has received the response.
    var isOver = false
    /// The error that the input has thrown.
    var error: (any Error)?
}
