public import CasePaths

extension TestStore where LocalState: Equatable {
    /// Sends an action and checks that it changes the state as `update` does. All actions of effects must have been
    /// received before.
    ///
    /// - Returns: The effects that the action started.
    @discardableResult
    public func send(
        _ action: LocalAction, _ update: ((inout LocalState) throws -> Void)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> TestStoreTask {
        core.actionQueue.runAll()
        if isDismissed {
            Issues.report("Expected no action after the feature has dismissed itself.", file: file, line: line)
            return TestStoreTask(task: StoreTask(group: nil), actionQueue: core.actionQueue, timeout: timeout)
        }
        reportUnreceivedActions("before this action was sent", file: file, line: line)
        hasUncheckedEffects = true
        let before = state
        let task = core.send(globalAction(action), file: file, line: line)
        expect(from: before, update, file: file, line: line)
        return TestStoreTask(task: task, actionQueue: core.actionQueue, timeout: timeout)
    }

    /// Receives the next action of an effect, and checks that it equals `expected` and changes the state as `update`
    /// does.
    public func receive(
        _ expected: Action, _ update: ((inout LocalState) throws -> Void)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) where Action: Equatable {
        receive(
            matching: { $0 == expected },
            unexpected: { action in
                let difference =
                    self.valueFormat.difference(expected, action)
                    ?? "  (the descriptions are equal, but the values are not)"
                return "Received an unexpected action: …\n\n\(difference.indented)\n\n"
                    + "(Expected: −, Received: +)"
            }, none: self.valueFormat.text(of: expected), update, file: file, line: line)
    }

    /// Receives the next action of an effect, and checks that it is in the case `casePath` and changes the state as
    /// `update` does.
    public func receive<Value>(
        _ casePath: CasePath<Action, Value>, _ update: ((inout LocalState) throws -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        receive({ casePath.extract(from: $0) != nil }, update, file: file, line: line)
    }

    /// Receives the next action of an effect, and checks that it satisfies a predicate and changes the state as
    /// `update` does.
    @_disfavoredOverload
    public func receive(
        _ isMatching: (Action) -> Bool, _ update: ((inout LocalState) throws -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        receive(
            matching: isMatching,
            unexpected: { "Received an action that does not match: …\n\n\(self.valueFormat.text(of: $0).indented)" },
            none: "an action that matches", update, file: file, line: line)
    }

    private func receive(
        matching isMatching: (Action) -> Bool, unexpected: (Action) -> String, none: @autoclosure () -> String,
        _ update: ((inout LocalState) throws -> Void)?, file: StaticString, line: UInt
    ) {
        core.actionQueue.runAll()
        hasUncheckedEffects = true
        let before = state
        if exhaustivity != .on {
            guard core.received.contains(where: { isMatching($0.action) }) else {
                // The others may still be received.
                return Issues.report(
                    "Expected to receive an action, got none that matches: …\n\n\(none().indented)", file: file,
                    line: line)
            }
            skip(before: isMatching, file: file, line: line)
        }
        guard let received = core.receiveNext() else {
            Issues.report(
                "Expected to receive an action, got none: …\n\n\(none().indented)", file: file, line: line)
            return expect(from: before, update, file: file, line: line)
        }
        guard isMatching(received.action) else {
            // The state changes of an unexpected action would only obscure the failure.
            return Issues.report(unexpected(received.action), file: file, line: line)
        }
        expect(from: before, update, file: file, line: line)
    }

    /// Skips the actions before the first one that matches, if one matches.
    private func skip(before isMatching: (Action) -> Bool, file: StaticString, line: UInt) {
        guard let index = core.received.firstIndex(where: { isMatching($0.action) }), index > 0 else { return }
        let skipped = core.received.prefix(index).map { valueFormat.text(of: $0.action).indented }
        noteSkipped("Skipped received actions: …\n\n\(skipped.joined(separator: "\n\n"))", file: file, line: line)
        core.receiveNext(index)
    }

    /// Checks that the current state is as `update` describes.
    public func assert(
        _ update: (inout LocalState) throws -> Void, file: StaticString = #fileID, line: UInt = #line
    ) {
        withoutActuallyEscaping(update) { expect(from: state, isStep: false, $0, file: file, line: line) }
    }
}

extension TestStore {
    /// Checks that no received action is left and no effect is running, as at the end of the test.
    public func finish(file: StaticString = #fileID, line: UInt = #line) {
        completed(file: file, line: line)
    }

    /// Skips the received actions. If `strict` is true and there are none, the test fails.
    public func skipReceivedActions(strict: Bool = true, file: StaticString = #fileID, line: UInt = #line) {
        core.actionQueue.runAll()
        guard !core.received.isEmpty else {
            if strict { Issues.report("Expected received actions to skip, got none.", file: file, line: line) }
            return
        }
        core.receiveNext(core.received.count)
    }

    /// Stops checking that the running effects end. They continue to run until the test store is released, and the test receives
    /// the actions that they send. If `strict` is true and there are none, the test fails.
    public func skipInFlightEffects(strict: Bool = true, file: StaticString = #fileID, line: UInt = #line) {
        if core.runningEffects.isEmpty {
            if strict { Issues.report("Expected running effects to skip, got none.", file: file, line: line) }
            return
        }
        core.forgetEffects()
    }
}
