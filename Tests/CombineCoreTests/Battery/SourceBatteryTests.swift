import CombineTesting
import Testing

@Suite struct SourceBatteryTests {
    @Test(arguments: SourceTable.rows, Battery.sources)
    func `a source follows the rules of the protocol`(row: SourceCase, point: SourcePoint) {
        #expect(point.findings(for: row) == [], "\(row) \(point)")
    }
}
