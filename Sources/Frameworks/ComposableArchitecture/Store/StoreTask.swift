/// A handle to the effects that an action started, directly or through other actions.
public struct StoreTask: Sendable {
    let group: EffectGroup?

    /// Cancels the effects. Their pending actions are dropped. Must be called where the store is confined.
    public func cancel() {
        group?.cancel()
    }

    /// Returns when all effects have ended, immediately if there are none. If the calling task is cancelled, the
    /// effects are cancelled.
    public func finish() async {
        guard let group else { return }
        await withTaskCancellationHandler {
            await group.finish()
        } onCancel: {
            group.cancelFromAnywhere()
        }
    }

    /// Whether the effects were cancelled through this task.
    public var isCancelled: Bool { group?.isCancelled ?? false }
}

/// The name that ``StoreTask`` had when only ``ViewStore/send(_:)`` returned it.
public typealias ViewStoreTask = StoreTask
