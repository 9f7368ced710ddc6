import DemoMachines
import Granary
import MachineAdapters
import MachineHost

await serve { _ in
    [
        try .ricemill("counter", summary: "Counts up and down; a switch says which buttons are offered.") { _ in
            CounterViewModel(input: .init(), store: .init(), extra: .init())
        },
        try .ricemill("counter-publishers", summary: "The same counter, whose outputs are publishers.") { _ in
            CounterPublishersViewModel(input: .init(), store: .init(), extra: .init())
        },
        try .ricemill("tic-tac-toe", summary: "Two players in turn on nine cells.") { _ in
            TicTacToeViewModel(input: .init(), store: .init(), extra: .init())
        },
    ]
}
