import IssueReporting

/// The state that an action needs and that does not exist.
///
/// If a host sent the action for a client, the host rejects it, and the action changes nothing. Otherwise reducers are
/// combined in the wrong order, or an effect was not cancelled: the action is ignored and the issue reported.
package struct MissingState: Equatable, Sendable {
    /// The type of the action that the missing state would have handled.
    package let actionType: ObjectIdentifier
    /// A predicate about the state, for clients, such as `has no element with id 7`.
    package let absence: String

    /// Handles an action for an element that does not exist.
    static func report<Action>(
        element id: some Any, noun: String = "element with id", action: Action, file: StaticString, line: UInt
    ) {
        report(
            "there was no \(noun) \(id)", summary: "there was no such element",
            absence: absence(ofElement: id, noun: noun), action: action, file: file, line: line)
    }

    /// Handles an action whose state does not exist.
    ///
    /// - Parameters:
    ///   - what: The situation, for developers.
    ///   - summary: The situation without values, for the log; `nil` if `what` has none.
    ///   - absence: The predicate for clients.
    static func report<Action>(
        _ what: String, summary: String? = nil, absence: String, action: Action, file: StaticString, line: UInt
    ) {
        let missing = MissingState(actionType: ObjectIdentifier(Action.self), absence: absence)
        if EffectScope.current?.refuse(missing) == true { return }
        let advice = "run the reducer before the one that removes its state, and cancel its effects then"
        Issues.report(
            ReportedIssue(
                found: FoundIssue(
                    message: "\(debugCaseOutput(action)) was received while \(what): \(advice)", file: file, line: line),
                summary: "\(caseName(of: action)) was received while \(summary ?? what): \(advice)",
                severity: .warning, missingState: missing))
    }

    /// Returns the predicate for an element that does not exist. The id is truncated, because it may come from a
    /// client.
    static func absence<ID>(ofElement id: ID, noun: String = "element with id") -> String {
        let text = String(describing: id)
        return "has no \(noun) \(text.count > 64 ? text.prefix(63) + "…" : text[...])"
    }

    /// Returns the type and the outermost case of an action. Associated values are left out, because they may contain
    /// data from a client, and the summary is written to the server's log.
    private static func caseName(of action: Any) -> String {
        let mirror = Mirror(reflecting: action)
        guard mirror.displayStyle == .enum else { return "\(mirror.subjectType)" }
        return "\(mirror.subjectType).\(mirror.children.first.map { $0.label ?? "" } ?? "\(action)")"
    }
}
