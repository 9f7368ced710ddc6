import Granary
import Observation

@Observable
final class Counter {
    private(set) var count = 0

    func increment() { count += 1 }
}

await serve { _ in
    [
        try .observable(
            "counter", summary: "Counts.", outputs: [.value("count", \.count)],
            inputs: [.call("increment", Counter.increment)]
        ) { _ in Counter() }
    ]
}
