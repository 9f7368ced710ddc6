public import Foundation

/// Runs actions as operations of a queue.
public final class OperationQueueScheduler: ImmediateSchedulerType {
    /// The queue.
    public let operationQueue: OperationQueue
    /// The priority of each action among the operations of the queue.
    public let queuePriority: Operation.QueuePriority

    /// Runs actions on `operationQueue` with this priority.
    public init(operationQueue: OperationQueue, queuePriority: Operation.QueuePriority = .normal) {
        self.operationQueue = operationQueue
        self.queuePriority = queuePriority
    }

    /// Adds an operation that runs `action`, unless it has been disposed of by then.
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
