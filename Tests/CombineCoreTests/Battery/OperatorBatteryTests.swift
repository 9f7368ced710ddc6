import CombineTesting
import Testing

/// Every operator against every point; a test for each topic.
@Suite struct OperatorBatteryTests {
    @Test(arguments: OperatorTable.rows, Battery.delivery)
    func `an operator delivers what it should`(row: OperatorCase, point: BatteryPoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }

    @Test(arguments: OperatorTable.rows, Battery.demand)
    func `an operator keeps to the demand`(row: OperatorCase, point: BatteryPoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }

    @Test(arguments: OperatorTable.rows, Battery.subscription)
    func `an operator begins as it should`(row: OperatorCase, point: BatteryPoint) {
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
    func `an operator may be called from inside a delivery`(row: OperatorCase, point: BatteryPoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }

    @Test(arguments: OperatorTable.rows, Battery.depth)
    func `an operator does not use up the stack`(row: OperatorCase, point: BatteryPoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }

    @Test(arguments: OperatorTable.rows, Battery.threads)
    func `an operator may be called from several threads`(row: OperatorCase, point: BatteryPoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }

    @Test(arguments: OperatorTable.rows, Battery.lifetime)
    func `an operator keeps nothing too long and loses nothing too early`(row: OperatorCase, point: BatteryPoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }

    @Test(arguments: OperatorTable.rows, Battery.descriptions)
    func `an operator shows itself as it should`(row: OperatorCase, point: BatteryPoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }
}
