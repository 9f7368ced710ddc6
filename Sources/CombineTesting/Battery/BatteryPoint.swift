/// One thing that every operator has to get right.
public struct BatteryPoint: Sendable, CustomStringConvertible {
    /// The claim, as a sentence about the operator.
    public let claim: String

    private let check: @Sendable (Bench) -> Void

    init(_ claim: String, _ check: @escaping @Sendable (Bench) -> Void) {
        self.claim = claim
        self.check = check
    }

    /// Puts the operator to the test.
    ///
    /// - Returns: A sentence for everything that is not as expected; empty if the claim holds.
    public func findings(for operatorCase: OperatorCase) -> [String] {
        let bench = Bench(operatorCase)
        check(bench)
        return bench.findings
    }

    /// The claim.
    public var description: String { claim }
}

/// The points that every operator is held to.
///
/// ```swift
/// @Test(arguments: Battery.points, myOperators)
/// func `operators keep the rules`(point: BatteryPoint, row: OperatorCase) {
///     #expect(point.findings(for: row) == [])
/// }
/// ```
public enum Battery {
    /// All points, by topic.
    public static let points: [BatteryPoint] =
        delivery + demand + subscription + cancellation + completion + reentrancy + depth + threads + lifetime
        + descriptions
}
