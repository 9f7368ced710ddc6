import CombineCore
import Dispatch
import MachineHost
import Ricemill
import RicemillAdapter

/// A counter with hidden members, a debounced text, and a board that `polish` clears.
final class DiaryMachine: Machine<DiaryMachine> {
    final class Input: BindableInputType {
        @Published var text = ""
        let increment = PassthroughSubject<Void, Never>()
        let finish = PassthroughSubject<Void, Never>()
        let step = CurrentValueSubject<Int, Never>(1)
    }

    typealias Output = Store

    final class Store: StoredOutputType, Resumable {
        // The state of an app as it is often written: nothing of it is `Codable` by itself.
        enum Phase {
            case idle
            case counting(by: Int, note: Note?)
            case finished(String)
        }

        struct Note {
            var text: String
            var pages: [Page]
        }

        struct Page {
            var number: Int
        }

        @Published var count = 0
        @Published var summary = ""
        @Published var board: [Int] = [0]
        @Published var wakes = 0
        let marked = PassthroughSubject<Int, Never>()
        private var phase = Phase.idle
        var total = 0
        var step = 0

        func count(by step: Int) {
            total += step
            count += 1
            board.append(total)
            if total % 5 == 0 { marked.send(total) }
            phase = .counting(by: step, note: step > 2 ? Note(text: summary, pages: [Page(number: total)]) : nil)
        }

        func finish(_ text: String) {
            switch phase {
            case .idle: summary = "nothing"
            case .counting(let step, let note):
                summary = "\(step) \(note.map { "\($0.text.count) \($0.pages.map(\.number))" } ?? "none")"
            case .finished(let former): summary = String((former + text).suffix(20))
            }
            phase = .finished(summary)
        }

        func resumed(_ interrupted: [InterruptedWork]) {
            objectWillChange.send()
        }
    }

    struct Extra: ExtraType {}

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        Polished(cancellables: [
            Just(()).sink { store.board = [] },
            input.step.sink { store.step = $0 },
            input.increment.sink { store.count(by: store.step) },
            input.finish.sink { store.finish("!") },
            input.$text.debounce(for: .milliseconds(300), scheduler: DispatchQueue.main).removeDuplicates()
                .sink { store.finish($0) },
        ])
    }

    static func definition() throws -> MachineDefinition {
        try .ricemill("diary", summary: "") { _ in DiaryMachine(input: .init(), store: .init(), extra: .init()) }
    }
}

/// A machine that is a class of its own: an `ObservableObject` that wires itself.
final class ThermostatMachine: MachineType, ObservableObject {
    final class Input: BindableInputType {
        @Published var target = 20
        let warm = PassthroughSubject<Int, Never>()
    }

    final class Output: OutputType {
        @Published var temperature = 15
        @Published var isHeating = false
        var changes = 0
    }

    let input: InputProxy<Input>
    let output: OutputProxy<Output>
    private var cancellables: Set<AnyCancellable> = []
    private var longest = 0
    private var recent: [String: Int?] = [:]

    init() {
        let (input, output) = (Input(), Output())
        self.input = InputProxy(input)
        self.output = OutputProxy(output)
        input.warm.sink { [unowned self] in
            longest = max(longest, $0)
            recent["last"] = output.temperature
            output.temperature += min($0, longest) + (recent["last"].flatMap { $0 } ?? 0) % 2
            output.changes += 1
        }.store(in: &cancellables)
        input.$target.combineLatest(output.$temperature)
            .map { $0 > $1 }
            .debounce(for: .milliseconds(50), scheduler: DispatchQueue.main)
            .sink { output.isHeating = $0 }
            .store(in: &cancellables)
    }

    static func definition() throws -> MachineDefinition {
        try .ricemill("thermostat", summary: "") { _ in ThermostatMachine() }
    }
}

/// A machine whose outputs send a value to each new subscriber, as values and as events.
final class ReplayMachine: Machine<ReplayMachine> {
    struct Input: InputType {
        let add = PassthroughSubject<Int, Never>()
    }

    struct Output: OutputType {
        let level: CurrentValueSubject<Int, Never>
        let steps: CurrentValueSubject<Int, Never>
        let label: AnyPublisher<String, Never>
        let greeting: AnyPublisher<String, Never>
    }

    final class Store: StoreType {
        @Published var count = 0
    }

    struct Extra: ExtraType {}

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Output> {
        let output = Output(
            level: .init(10), steps: .init(-1),
            label: store.$count.scan("") { "\($0.suffix(4))\($1)" }.eraseToAnyPublisher(),
            greeting: Just("hello").eraseToAnyPublisher())
        return Polished(
            output: output,
            cancellables: [
                input.add.sink { step in
                    store.count += step
                    output.level.value += step
                    if step > 1 { output.steps.send(step) }
                }
            ])
    }

    static func definition() throws -> MachineDefinition {
        try .ricemill("replay", summary: "", events: ["steps", "greeting"]) { _ in
            ReplayMachine(input: .init(), store: .init(), extra: .init())
        }
    }
}

/// A machine whose `polish` keeps state in subjects and in an observable object of its own.
final class PagesMachine: Machine<PagesMachine> {
    final class Input: BindableInputType {
        @Published var query = ""
        let next = PassthroughSubject<Void, Never>()
        let close = PassthroughSubject<Void, Never>()
        let report = PassthroughSubject<Void, Never>()
    }

    typealias Output = Store

    final class Store: StoredOutputType {
        @Published var page = 0
        @Published var visits = 0
        @Published var summary = ""
        @Published var isClosed = false
    }

    struct Extra: ExtraType {}

    final class History: ObservableObject {
        @Published var visits = 0
        @Published var queries: [String] = []
    }

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        let page = CurrentValueSubject<Int, Never>(1)
        let closed = PassthroughSubject<Void, Never>()
        let history = History()
        return Polished(cancellables: [
            input.next.sink {
                page.value += 1
                history.visits += 1
            },
            input.$query.dropFirst().sink { query in
                page.value = 1
                history.queries.append(query)
            },
            input.close.sink { closed.send(completion: .finished) },
            page.sink { store.page = $0 },
            history.$visits.sink { store.visits = $0 },
            // The queries are read only here: nothing subscribes to them.
            input.report.sink { store.summary = "\(page.value) \(history.visits) \(history.queries.suffix(3))" },
            input.report.map { closed.map { _ in false }.replaceEmpty(with: true) }.switchToLatest()
                .assign(to: \.isClosed, on: store),
        ])
    }

    static func definition() throws -> MachineDefinition {
        try .ricemill("pages", summary: "") { _ in PagesMachine(input: .init(), store: .init(), extra: .init()) }
    }
}

/// A machine with an operator whose state is an enumeration that is not `Codable`.
final class PhaseMachine: Machine<PhaseMachine> {
    enum Phase {
        case idle
        case went(times: Int)
    }

    struct Input: InputType {
        let go = PassthroughSubject<Void, Never>()
    }

    typealias Output = Store

    final class Store: StoredOutputType {
        @Published var log: [String] = []
    }

    struct Extra: ExtraType {}

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        let phases = input.go.scan(Phase.idle) { phase, _ in
            if case .went(let times) = phase { .went(times: times + 1) } else { .went(times: 1) }
        }
        return Polished(cancellables: [
            phases.sink { phase in if case .went(let times) = phase { store.log.append("went \(times)") } }
        ])
    }

    static func definition() throws -> MachineDefinition {
        try .ricemill("phases", summary: "") { _ in PhaseMachine(input: .init(), store: .init(), extra: .init()) }
    }
}

/// A machine with members that cannot be captured.
final class LeakyMachine: Machine<LeakyMachine> {
    struct Input: InputType {
        let go = PassthroughSubject<Void, Never>()
    }

    typealias Output = Store

    final class Connection {}

    struct Inner {
        var connection: Connection?
        var name = ""
    }

    final class Store: StoredOutputType {
        @Published var count = 0
        var token = Connection()
        var inner = Inner()
        private var inners: [Inner] = []
    }

    struct Extra: ExtraType {}

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        Polished(cancellables: [input.go.sink { store.count += 1 }])
    }

    static func definition(transient: Set<String> = []) throws -> MachineDefinition {
        try .ricemill("leaky", summary: "", transient: transient) { _ in
            LeakyMachine(input: .init(), store: .init(), extra: .init())
        }
    }
}
