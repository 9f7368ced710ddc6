extension TestStore {
    /// Reports actions that the test should have received before this point.
    func reportUnreceivedActions(_ moment: String, file: StaticString, line: UInt) {
        guard !core.received.isEmpty else { return }
        let actions = core.received.map { debugOutput($0.action) }
        let text = "\(moment): \(Self.count(actions.count, "action")) …\n\n\(Self.list(actions))"
        if exhaustivity == .on {
            Issues.report("Not received \(text)", file: file, line: line)
        } else {
            skipUnreceivedActions(text, file: file, line: line)
        }
    }

    private func skipUnreceivedActions(_ text: String, file: StaticString, line: UInt) {
        noteSkipped("Skipped \(text)", file: file, line: line)
        core.receiveNext(core.received.count)
    }

    /// Prints a skipped assertion if ``Exhaustivity`` requires it.
    func noteSkipped(_ text: String, file: StaticString, line: UInt) {
        guard exhaustivity == .off(showSkippedAssertions: true) else { return }
        StandardError.write("\(file):\(line): \(text)\n")
    }

    /// Ends the test: reports actions that were not received and effects that are still running.
    func completed(file: StaticString, line: UInt) {
        core.actionQueue.runAll()
        hasUncheckedEffects = false
        reportUnreceivedActions("by the end of the test", file: file, line: line)
        core.received = []
        guard exhaustivity == .on else { return }
        for effect in core.runningEffects {
            Issues.report(
                "An effect of this action is still running at the end of the test: …\n\n"
                    + "\(debugOutput(effect.action).indented)\n\nComplete it (advance its scheduler, finish "
                    + "its publisher) or cancel it.",
                file: effect.file, line: effect.line)
        }
        core.forgetEffects()
    }

    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    private static func list(_ texts: [String]) -> String {
        texts.map(\.indented).joined(separator: "\n\n")
    }
}

extension TestStore where LocalState: Equatable {
    /// Compares the expected state of a step with the actual state.
    ///
    /// In an exhaustive test, `update` must turn the state before the step into the actual state. Otherwise, applying
    /// `update` to the actual state must not change it.
    func expect(
        from before: LocalState, _ update: ((inout LocalState) throws -> Void)?, file: StaticString, line: UInt
    ) {
        let actual = state
        var expected = exhaustivity == .on ? before : actual
        do {
            try update?(&expected)
        } catch {
            return Issues.report("A step threw an error: \(error)", file: file, line: line)
        }
        guard expected != actual else {
            if exhaustivity != .on { noteUnstated(from: before, update, file: file, line: line) }
            return
        }
        let difference = debugDiff(expected, actual) ?? "  (the descriptions are equal, but the values are not)"
        Issues.report(
            "The state differs from the expectation of the step: …\n\n\(elided(difference, expected, actual).indented)\n\n"
                + "(Expected: −, Actual: +)",
            file: file, line: line)
    }

    private func noteUnstated(
        from before: LocalState, _ update: ((inout LocalState) throws -> Void)?, file: StaticString, line: UInt
    ) {
        var stated = before
        do { try update?(&stated) } catch { return }
        guard let difference = debugDiff(stated, state) else { return }
        noteSkipped("Unstated change: …\n\n\(difference.indented)\n\n(Stated: −, Actual: +)", file: file, line: line)
    }

    private func elided(_ difference: String, _ expected: LocalState, _ actual: LocalState) -> String {
        guard difference.split(separator: "\n").count > 24 else { return difference }
        return LineDifference(debugOutput(expected), debugOutput(actual)).text(context: 3)
    }
}
