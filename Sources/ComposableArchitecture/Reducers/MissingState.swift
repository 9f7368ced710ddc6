/// An action came for state that is not there any more.
///
/// That is a mistake in the composition of reducers, or an effect that was not cancelled. A server goes on: the action is
/// dropped. A test hears of it.
enum MissingState {
    static func report<Action>(_ what: String, action: Action, file: StaticString, line: UInt) {
        Issues.report(
            "\(debugCaseOutput(action)) came while \(what): run the reducer before the one that removes its state, and "
                + "cancel its effects then",
            severity: .warning, file: file, line: line)
    }
}
