import CombineCore
import Dispatch

/// What the schedulers that stand on a dispatch queue have in common.
struct QueueScheduling: Sendable {
    let queue: DispatchQueue

    /// Runs `action` on the queue, and then, also if the action was disposed of before its turn, `finish`.
    func schedule<StateType>(
        _ state: StateType, action: @escaping (StateType) -> any Disposable, finish: @escaping () -> Void = {}
    ) -> any Disposable {
        let pending = SingleAssignmentDisposable()
        queue.schedule {
            if !pending.isDisposed { pending.setDisposable(action(state)) }
            finish()
        }
        return pending
    }

    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, leeway: DispatchTimeInterval,
        action: @escaping (StateType) -> any Disposable
    ) -> any Disposable {
        let begun = SingleAssignmentDisposable()
        let timer = SingleAssignmentDisposable()
        // A timer that is stopped when it has fired once: unlike a delayed block, it can be taken back.
        let token = queue.schedule(
            after: queue.now.advanced(by: .init(dueTime)), interval: .seconds(1 << 30), tolerance: .init(leeway)
        ) {
            timer.dispose()
            if !begun.isDisposed { begun.setDisposable(action(state)) }
        }
        timer.setDisposable(token.asDisposable())
        return Disposables.create(timer, begun)
    }
}
