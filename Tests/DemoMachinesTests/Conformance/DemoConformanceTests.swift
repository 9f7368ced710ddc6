import MachineTesting
import Testing

/// Tests that every machine of the demo fulfils the contract of hosted machines. Add new machines to ``demos``.
struct DemoConformanceTests {
    @Test(arguments: MachinePoint.allCases, demos)
    func `every machine of the demo fulfils the contract`(point: MachinePoint, machine: MachineCase) {
        #expect(machine.findings(point) == [])
    }

    @Test(arguments: demos + UnioConformanceTests.demos)
    func `the script of every demo changes every output`(machine: MachineCase) {
        // Only the holder of a ticket joins a game, and a script has none: see `SharedTicTacToeTests`.
        #expect(machine.untouchedOutputs == (machine.description == "tic-tac-toe" ? ["isShared"] : []))
    }

    static let demos: [MachineCase] =
        [.observableCounter, .counter, .counterPublishers, .gitHubSearch, .ticTacToe] + MachineCase.composable
}
