import DemoMachines
import Ricemill
import Testing

/// Tests of the counter whose store is its output.
struct CounterViewModelTests {
    private let machine = CounterViewModel(input: .init(), store: .init(), extra: .init())

    @Test func `it begins at zero, switched off`() {
        #expect(machine.output.count == 0)
        #expect(!machine.output.isIncrementEnabled)
        #expect(!machine.output.isDecrementEnabled)
        #expect(machine.output.toggleText == "Disabled")
    }

    @Test func `it counts up and down and never below zero`() {
        machine.input.increment.send()
        machine.input.increment.send()
        machine.input.decrement.send()
        #expect(machine.output.count == 1)
        machine.input.decrement.send()
        machine.input.decrement.send()
        #expect(machine.output.count == 0)
    }

    @Test func `counting down is enabled while the counter is on and above zero`() {
        machine.input.isOn.wrappedValue = true
        #expect(machine.output.isIncrementEnabled)
        #expect(machine.output.toggleText == "Enabled")
        #expect(!machine.output.isDecrementEnabled)
        machine.input.increment.send()
        #expect(machine.output.isDecrementEnabled)
        machine.input.isOn.wrappedValue = false
        #expect(!machine.output.isDecrementEnabled)
        #expect(machine.output.count == 1)
    }

    @Test func `an increment counts even while the counter is off`() {
        machine.input.increment.send()
        #expect(machine.output.count == 1)
    }
}
