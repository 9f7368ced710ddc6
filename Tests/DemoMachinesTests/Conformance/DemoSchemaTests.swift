import ComposableArchitecture
import Contract
import DemoMachines
import MachineHost
import MachineTesting
import Testing

/// Tests that clients can rely on the types of all inputs and outputs of the demos.
struct DemoSchemaTests {
    @Test(arguments: DemoConformanceTests.demos + UnioConformanceTests.demos)
    func `no input or output of a demo accepts anything`(machine: MachineCase) {
        let definition = machine.definition
        #expect(definition.inputs.filter(\.schema.isUntyped).map(\.name) == [])
        #expect(definition.outputs.filter(\.schema.isUntyped).map(\.name) == [])
    }

    @Test func `the alert of a login has the members that it encodes`() {
        let alert = JSONSchema.of(encodable: AlertState<Login.Action>.self)
        guard case .named(_, .object(let members)) = alert else {
            Issue.record("expected an object, got \(alert)")
            return
        }
        #expect(members.map(\.name) == ["title", "message", "buttons"])
        #expect(members.map(\.isRequired) == [true, true, true])
    }
}
