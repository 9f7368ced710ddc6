/// An action came for state that is not there any more.
///
/// That is a mistake in the composition of reducers, or an effect that was not cancelled. A server goes on: the action is
/// dropped. A test hears of it.
enum MissingState {
    /// Reports an action for an element whose id, or whose place, does not exist.
    static func report<Action>(
        _ what: String, _ id: some Any, action: Action, file: StaticString, line: UInt
    ) {
        report("\(what) \(id)", summary: "there was no such element", action: action, file: file, line: line)
    }

    /// - Parameter what: What was so when the action came. `summary` is the same without values.
    static func report<Action>(
        _ what: String, summary: String? = nil, action: Action, file: StaticString, line: UInt
    ) {
        let advice = "run the reducer before the one that removes its state, and cancel its effects then"
        Issues.report(
            "\(debugCaseOutput(action)) came while \(what): \(advice)",
            summary: "\(caseName(of: action)) was received while \(summary ?? what): \(advice)",
            severity: .warning, file: file, line: line)
    }

    /// The type and the outermost case. What is inside the case is, or contains, what a client has sent.
    private static func caseName(of action: Any) -> String {
        let mirror = Mirror(reflecting: action)
        guard mirror.displayStyle == .enum else { return "\(mirror.subjectType)" }
        return "\(mirror.subjectType).\(mirror.children.first.map { $0.label ?? "" } ?? "\(action)")"
    }
}
