import CombineCore
import DemoMachines
import Ricemill
import Testing

/// Tests of the counter whose outputs are publishers.
struct CounterPublishersViewModelTests {
    private final class View {
        var text: String?
        var toggleText: String?
        var isIncrementEnabled = false
        var isDecrementEnabled = false
        private var cancellables: [AnyCancellable] = []

        init(_ machine: CounterPublishersViewModel) {
            machine.output.count.sink { [unowned self] in text = $0 }.store(in: &cancellables)
            machine.output.toggleText.sink { [unowned self] in toggleText = $0 }.store(in: &cancellables)
            machine.output.isIncrementEnabled.sink { [unowned self] in isIncrementEnabled = $0 }
                .store(in: &cancellables)
            machine.output.isDecrementEnabled.sink { [unowned self] in isDecrementEnabled = $0 }
                .store(in: &cancellables)
        }
    }

    private let machine = CounterPublishersViewModel(input: .init(), store: .init(), extra: .init())

    @Test func `a view receives all outputs as soon as it subscribes`() {
        let view = View(machine)
        #expect(view.text == "0")
        #expect(view.toggleText == "Disabled")
    }

    @Test func `a view follows the count, which never goes below zero`() {
        let view = View(machine)
        machine.input.increment.send()
        #expect(view.text == "1")
        machine.input.decrement.send()
        machine.input.decrement.send()
        #expect(view.text == "0")
    }

    @Test func `the switch enables the buttons`() {
        let view = View(machine)
        machine.input.isOn.send(true)
        #expect(view.isIncrementEnabled)
        #expect(!view.isDecrementEnabled)
        machine.input.increment.send()
        #expect(view.isDecrementEnabled)
        #expect(view.toggleText == "Enabled")
    }
}
