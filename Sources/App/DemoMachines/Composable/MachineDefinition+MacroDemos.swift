import CombineCore
import ComposableAdapter
import ComposableMacros
import FoundationEssentials
import GitHubAPI
import Locking
import MachineHost

/// Returns the demos in the current syntax.
///
/// - Parameters:
///   - makeIDs: Creates the source of identifiers for a session; nil for the session's series.
///   - now: Returns the time; nil for the wall time of the session.
///   - searchRepositories: Requests one page of repositories.
func macroMachines(
    makeIDs: (@Sendable () -> () -> UUID)?, now: (@Sendable () -> Date)?,
    searchRepositories: @escaping @Sendable (RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError>
) throws(MachineRegistrationError) -> [MachineDefinition] {
    let override = { @Sendable (dependencies: inout DependencyValues) in
        if let makeIDs {
            let next = UnsafeTransfer(makeIDs())
            dependencies.uuid = UUIDGenerator { next.value() }
        }
        if let now { dependencies.date = DateGenerator(now) }
    }
    return [
        try signUp(), try notes(override), try repositorySearch(searchRepositories), try syncUps(override),
    ]
}

private func signUp() throws(MachineRegistrationError) -> MachineDefinition {
    try .composable(
        "composable-form", summary: "A form with validation. An alert shows whether its submission succeeded.",
        actions: ["alert", "submitTapped"], hidden: ["wasSubmitted"],
        bindings: [
            .property("name", \.name), .property("email", \.email), .property("acceptsTerms", \.acceptsTerms),
        ],
        resumed: { work in work.isEmpty ? nil : SignUp.Action.resumed }
    ) { context in
        let register: @Sendable (Registration) async throws -> Int = context.effect(
            "register", RegistrationClient.liveValue.register)
        return Store(initialState: SignUp.State()) {
            SignUp()
        } withDependencies: {
            $0.registrations.register = register
        }
    }
}

private func notes(
    _ override: @escaping @Sendable (inout DependencyValues) -> Void
) throws(MachineRegistrationError) -> MachineDefinition {
    try .composable(
        "composable-notes", summary: "A list of notes with a stack of screens: a note, and its editor.",
        actions: ["addTapped", "noteTapped", "path"],
        excluding: ["path.element.detail.delegate", "path.element.editor.delegate"]
    ) { _ in
        Store(initialState: Notes.State(), reducer: { Notes() }, withDependencies: override)
    }
}

private func repositorySearch(
    _ ask: @escaping @Sendable (RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError>
) throws(MachineRegistrationError) -> MachineDefinition {
    try .composable(
        "composable-search", summary: "Searches GitHub repositories with a dependency client and a clock.",
        actions: ["queryChanged"],
        resumed: { work in work.isEmpty ? nil : RepositorySearch.Action.resumed }
    ) { context in
        // The tasks of the store ask, on other threads, which an effect allows.
        let search = UnsafeTransfer(context.effect("search", ask))
        return Store(initialState: RepositorySearch.State()) {
            RepositorySearch()
        } withDependencies: {
            $0.repositorySearch = .gitHub { search.value($0) }
        }
    }
}

private func syncUps(
    _ override: @escaping @Sendable (inout DependencyValues) -> Void
) throws(MachineRegistrationError) -> MachineDefinition {
    try .composable(
        "sync-ups", summary: "Regular meetings of a team: a list, forms, details, and a timer for the speakers.",
        actions: ["list", "path"],
        excluding: [
            "path.element.detail.delegate", "path.element.record.delegate", "path.element.record.start",
            "path.element.record.timerTicked",
        ],
        resumed: { work in work.isEmpty ? nil : SyncUps.Action.resumed }
    ) { _ in
        Store(initialState: SyncUps.State(), reducer: { SyncUps() }, withDependencies: override)
    }
}
