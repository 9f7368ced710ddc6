/// A requirement for operators.
public struct BatteryPoint: Sendable, CustomStringConvertible {
    /// The requirement, as a sentence about the operator.
    public let claim: String

    private let check: @Sendable (Bench) -> Void

    init(_ claim: String, _ check: @escaping @Sendable (Bench) -> Void) {
        self.claim = claim
        self.check = check
    }

    /// Checks an operator.
    ///
    /// - Returns: A sentence for each deviation; empty if the operator meets the requirement.
    public func findings(for operatorCase: OperatorCase) -> [String] {
        let bench = Bench(operatorCase)
        check(bench)
        return bench.findings
    }

    /// The requirement.
    public var description: String { claim }
}

/// The requirements for operators and sources.
///
/// ```swift
/// @Test(arguments: Battery.points, myOperators)
/// func `operators keep the rules`(point: BatteryPoint, row: OperatorCase) {
///     #expect(point.findings(for: row) == [])
/// }
/// ```
public enum Battery {
    /// All requirements for operators, by topic.
    public static let points: [BatteryPoint] =
        delivery + demand + subscription + cancellation + completion + reentrancy + depth + threads + lifetime
        + descriptions
}
