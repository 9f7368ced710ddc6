public import Foundation

extension OperationQueue: CustomDebugOutputConvertible {
    /// How the queue is got.
    public var debugOutput: String {
        self === OperationQueue.main ? "OperationQueue.main" : "OperationQueue()"
    }
}

extension RunLoop: CustomDebugOutputConvertible {
    /// How the run loop is got.
    public var debugOutput: String {
        self === RunLoop.main ? "RunLoop.main" : "RunLoop()"
    }
}
