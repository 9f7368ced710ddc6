import CombineCore

/// Runs `operation` in a task that ``Effect/cancel(id:)-(AnyHashable)`` and ``_Concurrency/Task/cancel(id:)`` can
/// cancel by id. The rest of the effect continues.
///
/// The id is scoped to the store whose effect calls this function.
public func withTaskCancellation<Value: Sendable, Failure: Error>(
    id: AnyHashable, cancelInFlight: Bool = false,
    operation: @escaping @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    let scope = EffectScope.resolve(createdIn: nil)
    if cancelInFlight { scope.cancel(id: id) }
    let task = Task(executorPreference: scope.taskExecutor) { () async -> Result<Value, Failure> in
        do throws(Failure) {
            return .success(try await operation())
        } catch {
            return .failure(error)
        }
    }
    let number = scope.keep(AnyCancellable { task.cancel() }, id: id)
    let result = await withTaskCancellationHandler {
        await task.value
    } onCancel: {
        task.cancel()
    }
    scope.forget(id: id, number: number)
    return try result.get()
}

extension Task where Success == Never, Failure == Never {
    /// Cancels everything registered under the id in the store whose effect calls this function.
    public static func cancel(id: AnyHashable) {
        EffectScope.resolve(createdIn: nil).cancel(id: id)
    }
}
