import IssueReporting
import Locking

extension TestStore {
    /// Reports actions that the test should have received before this point.
    func reportUnreceivedActions(_ moment: String, file: StaticString, line: UInt) {
        guard !core.received.isEmpty else { return }
        let actions = core.received.map { valueFormat.text(of: $0.action) }
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

    /// Ends the test: reports actions that were not received, effects that are still running and changes of shared values that no step
    /// has stated.
    func completed(file: StaticString, line: UInt) {
        core.actionQueue.runAll()
        core.endDismissedEffects()
        hasUncheckedEffects = false
        reportUnreceivedActions("by the end of the test", file: file, line: line)
        core.received = []
        guard exhaustivity == .on else { return }
        for effect in core.runningEffects {
            Issues.report(
                "An effect of this action is still running at the end of the test: …\n\n"
                    + "\(valueFormat.text(of: effect.action).indented)\n\nComplete it (advance its scheduler, finish "
                    + "its publisher) or cancel it.",
                file: effect.file, line: effect.line)
        }
        core.forgetEffects()
        reportUnstatedSharedChanges(file: file, line: line)
    }

    private func reportUnstatedSharedChanges(file: StaticString, line: UInt) {
        let differences = core.takeSharedChanges()
            .compactMap { valueFormat.difference($0.before.value, $0.after.value) }
        guard !differences.isEmpty else { return }
        Issues.report(
            "Shared state has changed, and the test ended without a statement of it: …\n\n\(Self.list(differences))\n\n"
                + "(Before: −, After: +)\n\nState the changes with assert at the end of the test.",
            file: file, line: line)
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
    ///
    /// - Parameter isStep: Whether `update` describes a step, which should change something, rather than the state between steps.
    func expect(
        from before: LocalState, isStep: Bool = true, _ update: ((inout LocalState) throws -> Void)?,
        file: StaticString, line: UInt
    ) {
        let update = withDependencies(update)
        let actual = state
        stateBeforeStep = before
        defer { stateBeforeStep = nil }
        let changes = core.takeSharedChanges()
        let isExhaustive = exhaustivity == .on
        let shared = SharedExpectation(isExhaustive ? changes : changes.map(\.settled), later: core.laterSharedChanges)
        var expected = isExhaustive ? before : actual
        do {
            try Modification.$isRequired.withValue(isExhaustive) {
                try SharedExpectation.$current.withValue(shared) { try update?(&expected) }
            }
        } catch {
            return Issues.report("A step threw an error: \(error)", file: file, line: line)
        }
        let sharedDifferences = differences(of: shared)
        for difference in sharedDifferences { reportDifference(difference, file: file, line: line) }
        guard expected != actual else {
            if !isExhaustive { noteUnstated(from: before, to: actual, changes, update, file: file, line: line) }
            if isStep, isExhaustive, valueFormat == .current, update != nil, before == actual, shared.expected.isEmpty {
                Issues.report(
                    "Expected the step to change the state, but neither the step nor its closure changes it: leave the closure out.",
                    file: file, line: line)
            }
            return
        }
        reportDifference(
            valueFormat.difference(expected, actual) ?? "  (the descriptions are equal, but the values are not)",
            file: file, line: line)
    }

    /// Returns the closure of a step that runs with the dependencies of the feature, so that the state that it creates shares the
    /// values of the feature's state.
    private func withDependencies(
        _ update: ((inout LocalState) throws -> Void)?
    ) -> ((inout LocalState) throws -> Void)? {
        guard let update else { return nil }
        return { [core] state in
            try DependencyValues.$bound.withValue(core.dependencies) { try update(&state) }
        }
    }

    private func reportDifference(_ difference: String, file: StaticString, line: UInt) {
        Issues.report(
            "The state differs from the expectation of the step: …\n\n\(difference.indented)\n\n"
                + "(Expected: −, Actual: +)",
            file: file, line: line)
    }

    /// Returns the differences between the shared values that a step expects and those that it has caused.
    private func differences(of expectation: SharedExpectation) -> [String] {
        expectation.expected.compactMap { root, value in
            valueFormat.difference(value, expectation.reachedValue(of: root))
        }
    }

    private func noteUnstated(
        from before: LocalState, to actual: LocalState, _ changes: [SharedChange],
        _ update: ((inout LocalState) throws -> Void)?, file: StaticString, line: UInt
    ) {
        guard exhaustivity == .off(showSkippedAssertions: true) else { return }
        var stated = before
        do {
            try Modification.$isRequired.withValue(false) {
                // The closure runs a second time, which must not reach the actual values either.
                let shared = SharedExpectation(changes, later: core.laterSharedChanges)
                try SharedExpectation.$current.withValue(shared) { try update?(&stated) }
            }
        } catch {
            return
        }
        guard let difference = valueFormat.difference(stated, actual) else { return }
        noteSkipped("Unstated change: …\n\n\(difference.indented)\n\n(Stated: −, Actual: +)", file: file, line: line)
    }
}
