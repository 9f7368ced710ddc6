import CombineCore
import CombineSchedulers
import DemoMachines
import GitHubAPI
import MachineHost
import MachineTesting
import RicemillAdapter
import UnioAdapter

// The searches as the demo registers them: their requests are effects of the session.
extension MachineCase {
    static let gitHubSearchWithEffects = search("github-search", like: gitHubSearch) { name in
        let service = RememberingService()
        return try .ricemill(name, summary: "A demo.") { context in
            let scheduler = context.scheduler
            return GitHubSearchViewModel(
                input: .init(), store: .init(),
                extra: .init(
                    searchRepositories: context.effect("search") { service.search($0, on: scheduler) },
                    scheduler: scheduler.eraseToAnyScheduler()))
        }
    }

    static let unioSearchWithEffects = search("unio-search", like: UnioConformanceTests.demos[1]) { name in
        let service = RememberingService()
        return try .unio(name, summary: "A demo.") { context in
            let scheduler = context.scheduler
            return GitHubSearchViewStream(
                apiExtra: .init(
                    searchRepositories: context.effect("search") { service.search($0, on: scheduler) }))
        }
    }

    private static func search(
        _ name: String, like other: MachineCase, _ make: (String) throws -> MachineDefinition
    ) -> MachineCase {
        do {
            return MachineCase(try make(name), script: other.script)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
