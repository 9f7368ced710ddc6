import MachineTesting
import Testing

/// Every machine of the demo keeps the contract of hosted machines. A new one is a line in ``demos``.
struct DemoConformanceTests {
    @Test(arguments: MachinePoint.allCases, demos)
    func `every machine of the demo keeps the contract`(point: MachinePoint, machine: MachineCase) {
        #expect(machine.findings(point) == [])
    }

    @Test(arguments: demos + UnioConformanceTests.demos)
    func `the script of every demo changes every output`(machine: MachineCase) {
        #expect(machine.untouchedOutputs == [])
    }

    static let demos: [MachineCase] =
        [.counter, .counterPublishers, .gitHubSearch, .ticTacToe] + MachineCase.composable
}
