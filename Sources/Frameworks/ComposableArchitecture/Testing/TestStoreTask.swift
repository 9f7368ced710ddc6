/// A handle to the effects that an action of a test started.
public struct TestStoreTask: Sendable {
    let task: StoreTask
    let actionQueue: TestActionQueue
    let timeout: Duration

    /// Cancels the effects, and lets their tasks react.
    nonisolated(nonsending) public func cancel() async {
        task.cancel()
        await actionQueue.settle(within: timeout)
    }

    /// Waits until the effects have ended. Fails the test on timeout.
    nonisolated(nonsending) public func finish(
        timeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line
    ) async {
        await actionQueue.run(until: { task.isOver }, timeout: timeout ?? self.timeout)
        guard !task.isOver else { return }
        Issues.report(
            "Expected the effects of the action to end within \(timeout ?? self.timeout), but they are still running.",
            file: file, line: line)
    }

    /// Whether the effects were cancelled through this task.
    public var isCancelled: Bool { task.isCancelled }
}

extension StoreTask {
    /// Whether all effects have ended and no action is pending.
    var isOver: Bool { group?.isOver ?? true }
}
