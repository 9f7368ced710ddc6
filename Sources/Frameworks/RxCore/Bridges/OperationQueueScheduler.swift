public import Foundation
import Locking

/// A scheduler that runs actions as operations of an `OperationQueue`.
public final class OperationQueueScheduler: ImmediateSchedulerType {
    /// The queue that runs the actions.
    public let operationQueue: OperationQueue
    /// The priority of the actions among the operations of the queue.
    public let queuePriority: Operation.QueuePriority

    /// Creates a scheduler that adds operations of the given priority to `operationQueue`.
    public init(operationQueue: OperationQueue, queuePriority: Operation.QueuePriority = .normal) {
        self.operationQueue = operationQueue
        self.queuePriority = queuePriority
    }

    /// Adds an operation that runs `action`, unless the returned disposable is disposed of first.
    public func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable)
        -> any Disposable
    {
        let pending = SingleAssignmentDisposable()
        let work = UnsafeTransfer { if !pending.isDisposed { pending.setDisposable(action(state)) } }
        let operation = BlockOperation { work.value() }
        operation.queuePriority = queuePriority
        operationQueue.addOperation(operation)
        return pending
    }
}
