import DemoMachines
import MachineHost
import MachineTesting

extension MachineCase {
    static let observableCounter: MachineCase = {
        do {
            return MachineCase(
                try .observableCounter(),
                script: ["increment", "increment", "decrement", "decrement", "decrement", "increment"])
        } catch {
            preconditionFailure("\(error)")
        }
    }()
}
