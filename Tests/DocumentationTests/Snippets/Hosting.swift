import ComposableAdapter
import ComposableArchitecture
import Granary
import RicemillAdapter
import Unio
import UnioAdapter

func counters() throws -> [MachineDefinition] {
    [
        try .ricemill("ricemill-counter", summary: "Counts.") { _ in
            RicemillCounter(input: .init(), store: .init(), extra: .init())
        },
        try .unio("unio-counter", summary: "Counts.") { _ in
            UnioCounter(input: .init(), state: .init(), extra: .init())
        },
        try .composable("composable-counter", summary: "Counts.") { _ in
            Store(initialState: ComposableCounter.State(), reducer: ComposableCounter())
        },
    ]
}
