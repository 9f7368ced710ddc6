import CombineCore
import CombineSchedulers
import ComposableArchitecture
import Dispatch
import FoundationEssentials
import Testing

@testable import DemoMachines

/// Tests of the list demos on virtual time: todos, weather and downloads.
@Suite struct ListDemoTests {
    private let scheduler = DispatchQueue.test

    private func uuid(_ number: UInt8) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
    }

    @Test func `a checked todo moves to the end a second after the last check`() {
        var last: UInt8 = 0
        let store = TestStore(
            initialState: TodosState(), reducer: todosReducer,
            environment: TodosEnvironment(
                mainQueue: scheduler.eraseToAnyScheduler(),
                uuid: {
                    last += 1
                    return uuid(last)
                }))
        store.assert(
            .send(.addTodoButtonTapped) { $0.todos = [Todo(id: uuid(1))] },
            .send(.addTodoButtonTapped) { $0.todos = [Todo(id: uuid(2)), Todo(id: uuid(1))] },
            .send(.todo(id: uuid(2), action: .textFieldChanged("Milk"))) {
                $0.todos[id: uuid(2)]?.description = "Milk"
            },
            .send(.todo(id: uuid(2), action: .checkBoxToggled)) { $0.todos[id: uuid(2)]?.isComplete = true },
            .do { scheduler.advance(by: 0.9) },
            .send(.todo(id: uuid(1), action: .checkBoxToggled)) { $0.todos[id: uuid(1)]?.isComplete = true },
            .send(.todo(id: uuid(1), action: .checkBoxToggled)) { $0.todos[id: uuid(1)]?.isComplete = false },
            .do { scheduler.advance(by: 1) },
            .receive(.sortCompletedTodos) { $0.todos.reverse() },
            .send(.clearCompletedButtonTapped) { $0.todos = [Todo(id: uuid(1))] },
            .send(.delete(id: uuid(1))) { $0.todos = [] })
    }

    @Test func `the filter selects the items that a client sees`() {
        var state = TodosState()
        state.todos = [Todo(id: uuid(1)), Todo(id: uuid(2), isComplete: true)]
        #expect(TodosView(state).todos.count == 2)
        state.filter = .active
        #expect(TodosView(state).todos.map(\.id) == [uuid(1)])
        state.filter = .completed
        #expect(TodosView(state).todos.map(\.id) == [uuid(2)])
        #expect(TodosView(state).isClearCompletedEnabled)
    }

    @Test func `typing is debounced, and an empty query clears the results and cancels the search`() {
        let found = [WeatherLocation(id: 1, title: "Brooklyn")]
        var searched: [String] = []
        let store = TestStore(
            initialState: WeatherState(), reducer: weatherReducer,
            environment: WeatherEnvironment(
                mainQueue: scheduler.eraseToAnyScheduler(),
                searchLocation: { query in
                    .result {
                        searched.append(query)
                        return .success(found)
                    }
                }, weather: { _ in Effect(error: WeatherFailure()) }))
        store.assert(
            .send(.searchQueryChanged("B")) { $0.searchQuery = "B" },
            .do { scheduler.advance(by: 0.2) },
            .send(.searchQueryChanged("Br")) { $0.searchQuery = "Br" },
            .do { scheduler.advance(by: 0.3) },
            .receive(.locationsResponse(.success(found))) { $0.locations = found },
            .send(.searchQueryChanged("")) {
                $0.searchQuery = ""
                $0.locations = []
            })
        #expect(searched == ["Br"])
    }

    @Test func `only the weather of the last tapped place is shown`() {
        var state = WeatherState()
        let places = [WeatherLocation(id: 1, title: "Brooklyn"), WeatherLocation(id: 2, title: "Kobe")]
        state.locations = places
        let scheduler = scheduler
        let store = TestStore(
            initialState: state, reducer: weatherReducer,
            environment: WeatherEnvironment(
                mainQueue: scheduler.eraseToAnyScheduler(), searchLocation: { _ in .none },
                weather: { id in
                    Effect(value: WeatherForecast(id: id, temperatures: [20])).delay(for: 1, scheduler: scheduler)
                        .eraseToEffect()
                }))
        store.assert(
            .send(.locationTapped(id: 1)) { $0.locationWeatherRequestInFlight = places[0] },
            .do { scheduler.advance(by: 0.5) },
            .send(.locationTapped(id: 2)) { $0.locationWeatherRequestInFlight = places[1] },
            .send(.locationTapped(id: 9)),
            .do { scheduler.advance(by: 1) },
            .receive(.locationWeatherResponse(.success(WeatherForecast(id: 2, temperatures: [20])))) {
                $0.locationWeather = WeatherForecast(id: 2, temperatures: [20])
                $0.locationWeatherRequestInFlight = nil
            })
    }

    @Test func `progress arrives once a second, and only its own id stops a download`() {
        let files = [PassthroughSubject<DownloadEvent, Never>(), PassthroughSubject<DownloadEvent, Never>()]
        let store = TestStore(
            initialState: DownloadsState(titles: ["Berlin", "Tokyo"]), reducer: downloadsReducer,
            environment: DownloadsEnvironment(
                mainQueue: scheduler.eraseToAnyScheduler(), download: { files[$0].eraseToEffect() }))
        func tapped(_ id: Int, _ action: DownloadAction) -> DownloadsAction { .download(id: id, action: action) }
        store.assert(
            .send(tapped(0, .buttonTapped)) { $0.downloads[id: 0]?.mode = .downloading },
            .send(tapped(1, .buttonTapped)) { $0.downloads[id: 1]?.mode = .downloading },
            .do {
                for step in 1...5 {
                    files[0].send(.progress(Double(step) / 10))
                    scheduler.advance(by: 0.2)
                }
            },
            .receive(tapped(0, .event(.progress(0.1)))) { $0.downloads[id: 0]?.progress = 0.1 },
            .receive(tapped(0, .event(.progress(0.5)))) { $0.downloads[id: 0]?.progress = 0.5 },
            .send(tapped(0, .buttonTapped)) {
                $0.downloads[id: 0]?.alert = AlertState(
                    title: "Stop before the map has arrived?",
                    primaryButton: .destructive("Stop", send: .stopButtonTapped),
                    secondaryButton: .cancel("Keep", send: .alertDismissed))
            },
            .send(tapped(0, .stopButtonTapped)) {
                $0.downloads[id: 0]?.alert = nil
                $0.downloads[id: 0]?.mode = .notDownloaded
                $0.downloads[id: 0]?.progress = 0
            },
            .do {
                files[0].send(.finished)
                files[1].send(.finished)
                files[1].send(completion: .finished)
                scheduler.advance(by: 2)
            },
            .receive(tapped(1, .event(.finished))) {
                $0.downloads[id: 1]?.mode = .downloaded
                $0.downloads[id: 1]?.progress = 1
            })
    }
}
