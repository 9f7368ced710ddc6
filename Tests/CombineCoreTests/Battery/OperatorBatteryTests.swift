import CombineTesting
import Testing

@Suite struct OperatorBatteryTests {
    @Test(arguments: OperatorTable.rows, Battery.points)
    func `an operator keeps the rules`(row: OperatorCase, point: BatteryPoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }
}
