import MachineHost
import MachineTesting
import Testing

/// The demo's machines survive the process.
struct DemoCaptureTests {
    @Test(arguments: DemoConformanceTests.demos)
    func `nothing keeps a machine of the demo from being captured`(machine: MachineCase) {
        #expect(machine.definition.captureObstacles == [])
    }
}
