import CombineCore
import HTTPModel
import Locking
import MachineHost
import MachineTesting

/// A service with asynchronous functions that answer when the test says so. Outlives the processes that ask it.
final class AsyncService: Sendable {
    private struct Call {
        let question: String
        let call: EffectCall?
        var continuation: UnsafeContinuation<String, any Error>?
        var isCancelled = false
    }

    private let calls = Lock<[Call]>([])

    var questions: [String] { calls.withLock { $0.map(\.question) } }
    var keys: [String?] { calls.withLock { $0.map(\.call?.idempotencyKey) } }
    var attempts: [UInt64?] { calls.withLock { $0.map(\.call?.attempt) } }
    var cancelled: [Bool] { calls.withLock { $0.map(\.isCancelled) } }

    func ask(_ question: String) async throws -> String {
        let index = calls.withLock { calls in
            calls.append(Call(question: question, call: .current))
            return calls.count - 1
        }
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                calls.withLock { $0[index].continuation = continuation }
            }
        } onCancel: {
            take(index) { $0.isCancelled = true }?.resume(throwing: CancellationError())
        }
    }

    func answer(_ index: Int, _ answer: String) {
        take(index) { _ in }?.resume(returning: answer)
    }

    func fail(_ index: Int) {
        take(index) { _ in }?.resume(throwing: FakeService.Unavailable())
    }

    private func take(_ index: Int, _ change: (inout Call) -> Void) -> UnsafeContinuation<String, any Error>? {
        calls.withLock { calls in
            change(&calls[index])
            defer { calls[index].continuation = nil }
            return calls[index].continuation
        }
    }
}

extension MachineDefinition {
    /// A machine that asks an asynchronous function when it is wired.
    static func askingOnce(
        _ service: AsyncService, onCrash: CrashReaction<any Error> = .again
    ) -> MachineDefinition {
        searching { search in
            search.show(search.machine.context.effect("search", onCrash: onCrash, service.ask)("swift"))
        }
    }

    /// A machine that asks an asynchronous function for each input, where a newer question cancels the older one.
    static func askingLatest(_ service: AsyncService, startsBeforeCommit: Bool = false) -> MachineDefinition {
        searching { search in
            let ask: (String) -> AnyPublisher<String, any Error> = search.machine.context.effect(
                "search", startsBeforeCommit: startsBeforeCommit, service.ask)
            search.show(search.questions.setFailureType(to: (any Error).self).map(ask).switchToLatest())
        }
    }

    /// A machine that awaits the answer of an asynchronous function in a task for each input.
    static func awaiting(_ service: AsyncService) -> MachineDefinition {
        searching { search in
            let context = search.machine.context
            let ask: @Sendable (String) async throws -> String = context.effect("search", service.ask)
            let (loop, scheduler, machine) = (context.loop, context.scheduler, UnsafeTransfer(search.machine))
            search.cancellables.append(
                search.questions.sink { [weak search] question in
                    let task = Task(executorPreference: loop.taskExecutor) {
                        let answer = try await ask(question)
                        scheduler.schedule { machine.value.set("answer", to: "\"\(answer)\"") }
                    }
                    search?.cancellables.append(AnyCancellable { task.cancel() })
                })
        }
    }

    /// A machine that counts the shots of a timer in a task.
    static var awaitingShots: MachineDefinition {
        searching { search in
            let context = search.machine.context
            let shots = UnsafeTransfer(context.timer("tick", every: .seconds(1)).values)
            let (loop, scheduler, machine) = (context.loop, context.scheduler, UnsafeTransfer(search.machine))
            let task = Task(executorPreference: loop.taskExecutor) {
                var count = 0
                for await _ in shots.value {
                    count += 1
                    let shown = "\(count)"
                    scheduler.schedule { machine.value.set("answer", to: "\"\(shown)\"") }
                }
            }
            search.cancellables.append(AnyCancellable { task.cancel() })
        }
    }
}
