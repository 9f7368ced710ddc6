import CombineTesting
import Testing

/// Tests every operator at every point of the battery, one test per topic.
@Suite struct OperatorBatteryTests {
    @Test(arguments: OperatorTable.rows, Battery.delivery)
    func `an operator delivers the expected output`(row: OperatorCase, point: BatteryPoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }

    @Test(arguments: OperatorTable.rows, Battery.demand)
    func `an operator respects demand`(row: OperatorCase, point: BatteryPoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }

    @Test(arguments: OperatorTable.rows, Battery.subscription)
    func `an operator follows the rules for subscriptions`(row: OperatorCase, point: BatteryPoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }

    @Test(arguments: OperatorTable.rows, Battery.cancellation)
    func `an operator stops when it is cancelled`(row: OperatorCase, point: BatteryPoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }

    @Test(arguments: OperatorTable.rows, Battery.completion)
    func `an operator ends once`(row: OperatorCase, point: BatteryPoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }

    @Test(arguments: OperatorTable.rows, Battery.reentrancy)
    func `an operator may be called during a delivery`(row: OperatorCase, point: BatteryPoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }

    @Test(arguments: OperatorTable.rows, Battery.depth)
    func `an operator does not overflow the stack`(row: OperatorCase, point: BatteryPoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }

    @Test(arguments: OperatorTable.rows, Battery.threads)
    func `an operator may be called from several threads`(row: OperatorCase, point: BatteryPoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }

    @Test(arguments: OperatorTable.rows, Battery.lifetime)
    func `an operator retains its objects exactly as long as it needs them`(row: OperatorCase, point: BatteryPoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }

    @Test(arguments: OperatorTable.rows, Battery.descriptions)
    func `an operator describes and mirrors itself as expected`(row: OperatorCase, point: BatteryPoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }
}
