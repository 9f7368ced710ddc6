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

extension NSError: CustomDumpReflectable {
    /// The domain, the code and the further information.
    public var customDumpMirror: Mirror {
        let children: KeyValuePairs<String, Any> = ["domain": domain, "code": code, "userInfo": userInfo]
        // A subclass is shown as an error too.
        let subject = NSError(domain: domain, code: code, userInfo: userInfo)
        return Mirror(subject, children: children, displayStyle: .class)
    }
}
