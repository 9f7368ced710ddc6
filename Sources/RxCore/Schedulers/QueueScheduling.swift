import CombineCore
import Dispatch

/// The common implementation of the schedulers that use a dispatch queue.
struct QueueScheduling: Sendable {
    let queue: DispatchQueue

    /// Runs `action` on the queue and then `finish`. `finish` runs even if the action was disposed of before it
    /// started.
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
        // A repeating timer that stops itself when it fires, because a delayed block of a dispatch queue cannot be
        // cancelled.
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
