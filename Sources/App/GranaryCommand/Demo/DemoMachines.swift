import ComposableArchitecture
import DemoMachines
import GitHubAPI
import Granary
import MachineHost
import RicemillAdapter
import Unio
import UnioAdapter

extension MachineDefinition {
    /// Returns the machines of the demo, in the order of the page. Unused sessions of all of them sleep: their searches are
    /// declared effects, and everything else that they wait for is a timer of their session.
    static func demos(_ settings: DemoSettings) throws -> [MachineDefinition] {
        let gitHub = try settings.makeClient()
        return try MachineDefinition.concurrently([
            { try plainDemos(gitHub) }, { try composableDemos(searchRepositories: { gitHub.searchRepositories($0) }) },
        ])
    }

    private static func plainDemos(_ gitHub: GitHubClient) throws -> [MachineDefinition] {
        let machines: [MachineDefinition] = [
            try .observableCounter(),
            try .ricemill(
                "counter", summary: "Counts up and down. A switch determines which buttons are enabled."
            ) { _ in
                CounterViewModel(input: .init(), store: .init(), extra: .init())
            },
            try .ricemill("counter-publishers", summary: "The same counter with publishers as outputs.") { _ in
                CounterPublishersViewModel(input: .init(), store: .init(), extra: .init())
            },
            try .ricemill("github-search", summary: "Searches GitHub repositories while the user types.") { context in
                GitHubSearchViewModel(
                    input: .init(), store: .init(),
                    extra: .init(
                        searchRepositories: context.effect("search") { gitHub.searchRepositories($0) },
                        scheduler: context.scheduler.eraseToAnyScheduler()))
            },
            try .unio("unio-counter", summary: "A counter as a Unio stream with three kinds of outputs.") { _ in
                CounterStream(input: .init(), state: .init(), extra: .init())
            },
            try .unio("unio-search", summary: "Searches GitHub repositories with three nested streams.") { context in
                GitHubSearchViewStream(
                    apiExtra: .init(searchRepositories: context.effect("search") { gitHub.searchRepositories($0) }))
            },
            try .ticTacToe(), try .board(),
        ]
        return machines.map(\.hibernating)
    }
}
