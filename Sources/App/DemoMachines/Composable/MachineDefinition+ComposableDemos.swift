public import CombineCore
import CombineSchedulers
import ComposableAdapter
import ComposableArchitecture
import Dispatch
public import FoundationEssentials
public import GitHubAPI
public import MachineHost

extension MachineDefinition {
    /// Returns the demos of the Composable Architecture. Their main queue is the scheduler of their session. Unused sessions of
    /// them sleep: the host sees all effects of a store, and one that runs keeps its session awake.
    ///
    /// - Parameters:
    ///   - makeIDs: Creates the source of identifiers for a session. Tests pass a deterministic one; nil for the
    ///     session's series, which continues after a restart.
    ///   - now: Returns the time. Tests pass a constant one; nil for the wall time of the session.
    ///   - searchRepositories: Requests one page of repositories, on any thread: `GitHubClient.searchRepositories`.
    /// - Throws: `MachineRegistrationError` if one of them cannot be hosted. The tests of the demos rule this out.
    public static func composableDemos(
        makeIDs: (@Sendable () -> () -> UUID)? = nil, now: (@Sendable () -> Date)? = nil,
        searchRepositories: @escaping @Sendable (RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError>
    ) throws -> [MachineDefinition] {
        let machines = try MachineDefinition.concurrently([
            basicMachines, effectMachines,
            { try listMachines(makeIDs: makeIDs ?? { nextID }) },
            { try macroMachines(makeIDs: makeIDs, now: now, searchRepositories: searchRepositories) },
        ])
        return machines.map(\.hibernating)
    }

    /// The definition, with sessions that sleep while nobody uses them.
    public var hibernating: MachineDefinition {
        var machine = self
        machine.hibernates = true
        return machine
    }
}

private func nextID() -> UUID {
    @Dependency(\.uuid) var uuid
    return uuid()
}

private func basicMachines() throws(MachineRegistrationError) -> [MachineDefinition] {
    [
        try .composable(
            "composable-counter", summary: "The smallest feature: two actions and no effects.",
            actions: ["decrementButtonTapped", "incrementButtonTapped"]
        ) { _ in
            Store(initialState: CounterState(), reducer: counterReducer, environment: CounterEnvironment())
        },
        try .composable(
            "composable-two-counters", summary: "One counter feature, used twice.", actions: ["counter1", "counter2"]
        ) { _ in
            Store(
                initialState: TwoCountersState(), reducer: twoCountersReducer, environment: TwoCountersEnvironment())
        },
        try .composable(
            "composable-optional-counter", summary: "A counter that can be added and removed.",
            actions: ["optionalCounter", "toggleCounterButtonTapped"]
        ) { _ in
            Store(
                initialState: OptionalCounterState(), reducer: optionalCounterReducer,
                environment: OptionalCounterEnvironment())
        },
        try .composable(
            "composable-tic-tac-toe", summary: "A two-step login and a game: four nested features.",
            actions: ["login", "newGame"], excluding: ["login.resumed", "login.twoFactor.resumed"],
            resumed: { work in work.isEmpty ? nil : TicTacToeApp.Action.login(.resumed) }
        ) { _ in
            Store(initialState: TicTacToeApp.State(), reducer: TicTacToeApp())
        },
    ]
}

private func effectMachines() throws(MachineRegistrationError) -> [MachineDefinition] {
    [
        try .composable(
            "composable-effects", summary: "Effects that send actions: a delay, and a fact about a number.",
            actions: ["decrementButtonTapped", "incrementButtonTapped", "numberFactButtonTapped"],
            resumed: { work in work.isEmpty ? nil : EffectsBasicsAction.resumed }
        ) { context in
            let queue: AnySchedulerOf<DispatchQueue> = context.scheduler.eraseToAnyScheduler()
            return Store(
                initialState: EffectsBasicsState(), reducer: effectsBasicsReducer,
                environment: EffectsBasicsEnvironment(
                    mainQueue: queue, numberFact: DemoServices(mainQueue: queue).numberFact,
                    incrementLater: context.effect("increment", { (_: Int) in Just(1).delay(for: 1, scheduler: queue) })
                    {
                        _, _ in EffectsBasicsAction.incrementButtonTapped
                    }))
        },
        try .composable(
            "composable-cancellation", summary: "A request that can be cancelled.",
            actions: ["cancelButtonTapped", "stepperChanged", "triviaButtonTapped"],
            resumed: { work in work.isEmpty ? nil : CancellationAction.resumed }
        ) { context in
            let queue: AnySchedulerOf<DispatchQueue> = context.scheduler.eraseToAnyScheduler()
            return Store(
                initialState: CancellationState(), reducer: cancellationReducer,
                environment: CancellationEnvironment(mainQueue: queue, trivia: DemoServices(mainQueue: queue).trivia))
        },
        try .composable(
            "composable-timer", summary: "A stopwatch.", actions: ["toggleTimerButtonTapped"],
            resumed: { work in work.isEmpty ? nil : TimersAction.resumed }
        ) { context in
            Store(
                initialState: TimersState(), reducer: timersReducer,
                environment: TimersEnvironment(mainQueue: context.scheduler.eraseToAnyScheduler()))
        },
    ]
}

private func listMachines(makeIDs: @escaping @Sendable () -> () -> UUID) throws(MachineRegistrationError)
    -> [MachineDefinition]
{
    [
        try .composable(
            "composable-todos", summary: "A to-do list, sorted and filtered.",
            actions: ["addTodoButtonTapped", "clearCompletedButtonTapped", "delete", "filterPicked", "todo"],
            resumed: { work in work.isEmpty ? nil : TodosAction.resumed },
            view: { TodosView($0) }
        ) { context in
            Store(
                initialState: TodosState(), reducer: todosReducer,
                environment: TodosEnvironment(
                    mainQueue: context.scheduler.eraseToAnyScheduler(), uuid: makeIDs()))
        },
        try .composable(
            "composable-weather", summary: "A search while the user types; the latest request wins.",
            actions: ["locationTapped", "searchQueryChanged"],
            resumed: { work in work.isEmpty ? nil : WeatherAction.resumed }
        ) { context in
            let queue: AnySchedulerOf<DispatchQueue> = context.scheduler.eraseToAnyScheduler()
            let services = DemoServices(mainQueue: queue)
            return Store(
                initialState: WeatherState(), reducer: weatherReducer,
                environment: WeatherEnvironment(
                    mainQueue: queue, searchLocation: services.searchLocation, weather: services.weather))
        },
        try .composable(
            "composable-downloads", summary: "Downloads that show their progress once per second.",
            actions: ["download"], excluding: ["download.event", "download.resumed"],
            resumed: { work in work.isEmpty ? nil : DownloadsAction.resumed }
        ) { context in
            let queue: AnySchedulerOf<DispatchQueue> = context.scheduler.eraseToAnyScheduler()
            return Store(
                initialState: DownloadsState(titles: ["Berlin", "Kyoto", "Lisbon"]), reducer: downloadsReducer,
                environment: DownloadsEnvironment(mainQueue: queue, download: DemoServices(mainQueue: queue).download))
        },
    ]
}
