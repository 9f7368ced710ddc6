import CombineSchedulers
import DemoMachines
import GitHubAPI
import Granary
import MachineAdapters
import MachineHost
import Unio

await serve { configuration in
    let gitHub = GitHubClient(
        configuration: try GitHubConfiguration(
            baseAddress: configuration.github.baseURL, token: configuration.github.token.reveal(),
            idleTimeout: configuration.github.timeout, totalTimeout: configuration.github.timeout))
    let composable = try MachineDefinition.composableDemos()
    return [
        try .ricemill("counter", summary: "Counts up and down; a switch says which buttons are offered.") { _ in
            CounterViewModel(input: .init(), store: .init(), extra: .init())
        },
        try .ricemill("counter-publishers", summary: "The same counter, whose outputs are publishers.") { _ in
            CounterPublishersViewModel(input: .init(), store: .init(), extra: .init())
        },
        try .ricemill("github-search", summary: "Searches GitHub's repositories while somebody types.") { context in
            GitHubSearchViewModel(
                input: .init(), store: .init(),
                extra: .init(
                    searchRepositories: { gitHub.searchRepositories($0) },
                    scheduler: context.scheduler.eraseToAnyScheduler()))
        },
        try .unio("unio-counter", summary: "A counter as a Unio stream, with outputs of three kinds.") { _ in
            CounterStream(input: .init(), state: .init(), extra: .init())
        },
        try .unio("unio-search", summary: "Searches GitHub's repositories with three nested streams.") { _ in
            GitHubSearchViewStream(apiExtra: .init(searchRepositories: { gitHub.searchRepositories($0) }))
        },
        try .ricemill("tic-tac-toe", summary: "Two players in turn on nine cells.") { _ in
            TicTacToeViewModel(input: .init(), store: .init(), extra: .init())
        },
    ] + composable
}
