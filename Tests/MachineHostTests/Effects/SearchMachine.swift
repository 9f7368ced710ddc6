import CombineCore
import HTTPModel
import Locking
import MachineHost
import MachineTesting
import StateCapture

/// A service that answers when the test says so. Outlives the processes that ask it.
final class FakeService: Sendable {
    struct Call {
        let question: String
        let call: EffectCall?
        let trace: TraceContext?
        let answer = PassthroughSubject<String, any Error>()
        var isCancelled = false
    }

    struct Unavailable: Error {}

    private let calls = Lock<[Call]>([])

    var questions: [String] { calls.withLock { $0.map(\.question) } }
    var keys: [String?] { calls.withLock { $0.map(\.call?.idempotencyKey) } }
    var traces: [TraceContext?] { calls.withLock { $0.map(\.trace) } }
    var attempts: [UInt64?] { calls.withLock { $0.map(\.call?.attempt) } }
    var cancelled: [Bool] { calls.withLock { $0.map(\.isCancelled) } }

    func ask(_ question: String) -> AnyPublisher<String, any Error> {
        let (index, call) = calls.withLock { calls in
            calls.append(Call(question: question, call: .current, trace: .current))
            return (calls.count - 1, calls[calls.count - 1])
        }
        return call.answer
            .handleEvents(receiveCancel: { [self] in calls.withLock { $0[index].isCancelled = true } })
            .eraseToAnyPublisher()
    }

    func answer(_ index: Int, _ answer: String) {
        calls.withLock { $0[index] }.answer.send(answer)
    }

    func fail(_ index: Int) {
        calls.withLock { $0[index] }.answer.send(completion: .failure(Unavailable()))
    }
}

/// A machine that asks an effect, with its pipeline.
final class Search {
    let machine: ScriptedMachine
    let questions = PassthroughSubject<String, Never>()
    var cancellables: [AnyCancellable] = []

    init(_ machine: ScriptedMachine) {
        self.machine = machine
    }

    /// Shows the answers of a publisher.
    func show(_ answers: some Publisher<String, any Error>) {
        let cancellable = answers.sink { [machine] completion in
            guard case .failure(let error) = completion else { return }
            machine.set("failure", to: "\"\(error)\"")
        } receiveValue: { [machine] answer in
            machine.set("answer", to: "\"\(answer)\"")
        }
        cancellables.append(cancellable)
    }
}

extension MachineDefinition {
    /// A machine whose pipelines a closure wires.
    static func searching(_ wire: @escaping @Sendable (Search) -> Void) -> MachineDefinition {
        ScriptedMachine.definition(
            outputs: ["answer", "failure", "interrupted"],
            inputs: [
                "ask": { machine, value in search(machine)?.questions.send(value) },
                "cancel": { machine, _ in search(machine)?.cancellables = [] },
            ],
            made: { machine in
                ScriptedState.capture(machine)
                let search = Search(machine)
                machine.attachment = search
                machine.whenResumed = { work in
                    guard !work.isEmpty else { return }
                    machine.set("interrupted", to: "\"\(work.map(\.name).joined(separator: " "))\"")
                }
                wire(search)
            })
    }

    private static func search(_ machine: ScriptedMachine) -> Search? { machine.attachment as? Search }

    /// A machine that asks when it is wired.
    static func askingOnce(
        _ service: FakeService, onCrash: CrashReaction<any Error> = .again, startsBeforeCommit: Bool = false
    ) -> MachineDefinition {
        searching { search in
            let ask: (String) -> AnyPublisher<String, any Error> = search.machine.context.effect(
                "search", onCrash: onCrash, startsBeforeCommit: startsBeforeCommit, service.ask)
            search.show(ask("swift"))
        }
    }

    /// A machine that asks for each input, where a newer question cancels the older one.
    static func askingLatest(_ service: FakeService, startsBeforeCommit: Bool = false) -> MachineDefinition {
        searching { search in
            let ask: (String) -> AnyPublisher<String, any Error> = search.machine.context.effect(
                "search", startsBeforeCommit: startsBeforeCommit, service.ask)
            search.show(search.questions.setFailureType(to: (any Error).self).map(ask).switchToLatest())
        }
    }
}
