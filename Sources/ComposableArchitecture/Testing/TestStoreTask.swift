/// The effects that an action of a test started.
public struct TestStoreTask: Sendable {
    let task: StoreTask
    let inbox: TestInbox
    let timeout: Duration

    /// Cancels the effects, and lets their tasks see it.
    public func cancel() async {
        task.cancel()
        await Task.yield()
    }

    /// Waits until the effects are over; fails the test if they are not in time.
    nonisolated(nonsending) public func finish(
        timeout: Duration? = nil, file: StaticString = #fileID, line: UInt = #line
    ) async {
        await inbox.run(until: { task.isOver }, timeout: timeout ?? self.timeout)
        guard !task.isOver else { return }
        Issues.report(
            "The effects of the action go on after \(timeout ?? self.timeout), and were to be over.",
            file: file, line: line)
    }

    /// Whether the effects were cancelled through this value.
    public var isCancelled: Bool { task.isCancelled }
}

extension StoreTask {
    /// Whether nothing is under way.
    var isOver: Bool { group?.isOver ?? true }
}
