extension TestScheduler {
    /// Advances the clock by `stride` and runs due actions. Lets tasks run before and after each action.
    ///
    /// Use it for code that waits in tasks, as with ``CombineCore/Scheduler/sleep(for:tolerance:options:)``: actions
    /// that a resumed task schedules within `stride` run too.
    nonisolated(nonsending) public func advance(by stride: SchedulerTimeType.Stride = .zero) async {
        await advance(to: now.advanced(by: stride))
    }

    /// Advances the clock to `instant` and runs due actions. Lets tasks run before and after each action.
    nonisolated(nonsending) public func advance(to instant: SchedulerTimeType) async {
        await ReadyTasks.run(on: executors)
        while let date = nextDate, date <= instant {
            await ReadyTasks.run(on: executors) { _ = runNext(until: instant) }
        }
        moveClock(to: instant)
        await ReadyTasks.run(on: executors)
    }

    /// Advances the clock until no action is scheduled. Lets tasks run before and after each action. Does not return if
    /// a repeating timer is never cancelled.
    nonisolated(nonsending) public func run() async {
        await ReadyTasks.run(on: executors)
        while let date = nextDate {
            await advance(to: max(now, date))
        }
    }
}

/// Lets other tasks run.
package enum ReadyTasks {
    /// The number of executor jobs that a task may need until it is suspended again.
    private static let count = 20

    /// Does some work and lets all tasks run that are ready then. Those of an executor for tests run until they are suspended or have ended. Others have a
    /// number of turns: a new detached task is enqueued after them, so when it has run, each of them has had one.
    ///
    /// - Parameters:
    ///   - executors: The executors of known tasks. Their hosts handle what the tasks hand over.
    ///   - work: Makes tasks ready.
    ///   - afterTurn: Called after each turn of the other tasks.
    package nonisolated(nonsending) static func run(
        on executors: [TestExecutor] = [], _ work: () -> Void = {}, afterTurn: () -> Void = {}
    ) async {
        // Before the work: a task may hand something over as soon as it is ready.
        let hosted = executors.map { ($0, $0.beginHandling()) }
        work()
        for (executor, host) in hosted { await executor.settle(with: host) }
        for _ in 0..<count {
            // Tasks of another priority would be in another queue.
            await Task.detached(priority: Task.currentPriority) { await Task.yield() }.value
            afterTurn()
            for (executor, host) in hosted {
                if let host, await host.handle() { await executor.settle(with: host) }
            }
        }
        for (_, host) in hosted { await host?.endHandling() }
    }
}
