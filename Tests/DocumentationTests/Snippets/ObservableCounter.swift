import Granary
import Observation

@Observable
final class ObservableCounter {
    private(set) var count = 0

    func increment() { count += 1 }
    func decrement() { count = max(count - 1, 0) }
}

func observableCounter() throws -> MachineDefinition {
    try .observable(
        "observable-counter", summary: "Counts.", outputs: [.value("count", \.count)],
        inputs: [.call("increment", ObservableCounter.increment), .call("decrement", ObservableCounter.decrement)]
    ) { _ in ObservableCounter() }
}
