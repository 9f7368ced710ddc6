public import Foundation

extension OperationQueue: CustomDebugOutputConvertible {
    /// The expression that returns the queue.
    public var debugOutput: String {
        self === OperationQueue.main ? "OperationQueue.main" : "OperationQueue()"
    }
}

extension RunLoop: CustomDebugOutputConvertible {
    /// The expression that returns the run loop.
    public var debugOutput: String {
        self === RunLoop.main ? "RunLoop.main" : "RunLoop()"
    }
}
