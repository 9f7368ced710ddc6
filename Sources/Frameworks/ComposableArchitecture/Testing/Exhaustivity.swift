/// How completely a test must describe the behaviour of a feature.
public enum Exhaustivity: Equatable, Sendable {
    /// Completely: each state change, each received action, and the end of each effect.
    case on
    /// Partially. Omitted assertions are printed if `showSkippedAssertions` is true.
    case off(showSkippedAssertions: Bool)

    /// Partially, without printing omitted assertions.
    public static let off = Exhaustivity.off(showSkippedAssertions: false)
}
