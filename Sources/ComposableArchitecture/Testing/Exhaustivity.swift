/// How much of what a feature does a test has to state.
public enum Exhaustivity: Equatable, Sendable {
    /// Everything: each change of the state, each action of an effect, each effect's end.
    case on
    /// Only what the test chooses to state. What it left out is printed if `showSkippedAssertions` says so.
    case off(showSkippedAssertions: Bool)

    /// Only what the test chooses to state.
    public static let off = Exhaustivity.off(showSkippedAssertions: false)
}
