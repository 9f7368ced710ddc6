import Combine
import ComposableAdapter
import ComposableArchitecture
import Granary
import RicemillAdapter
import SharedCounter
import UnioAdapter

await serve(name: "counter-server") { _ in
    [
        try .ricemill("counter", summary: "Counts, and shows a fact about the number.") { _ in
            CounterViewModel(
                input: .init(), store: .init(),
                extra: .init { Just("\($0) is \($0.isMultiple(of: 2) ? "even" : "odd").").eraseToAnyPublisher() })
        },
        try .unio("unio-counter", summary: "Counts.") { _ in
            CounterStream(input: .init(), state: .init(), extra: .init())
        },
        try .composable("composable-counter", summary: "Counts.") { _ in
            Store(initialState: CounterFeature.State(), reducer: CounterFeature())
        },
    ]
}
