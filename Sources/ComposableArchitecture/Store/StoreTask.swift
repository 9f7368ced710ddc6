/// The life of the effects that an action started, and of those that their actions started.
public struct StoreTask: Sendable {
    let group: EffectGroup?

    /// Cancels the effects. Their actions that have not arrived yet never do. To be called where the store is used.
    public func cancel() {
        group?.cancel()
    }

    /// Returns when all of the effects are over; at once if there was none. If the calling task is cancelled, so are the
    /// effects.
    public func finish() async {
        guard let group else { return }
        await withTaskCancellationHandler {
            await group.finish()
        } onCancel: {
            group.cancelFromAnywhere()
        }
    }

    /// Whether the effects were cancelled through a value like this one.
    public var isCancelled: Bool { group?.isCancelled ?? false }
}

/// What ``ViewStore/send(_:)`` returned when only view stores had it.
public typealias ViewStoreTask = StoreTask
