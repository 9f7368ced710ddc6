import CombineCore
import HTTPModel
import Locking
import MachineHost
import MachineTesting
import RxCore
import StateCapture
import Testing

/// Declared effects inside of the publishers that a pipeline makes, across the end of a process between question and answer.
struct EffectPipelineTests {
    private let service = RecordedService()

    @Test func `a question in switchToLatest is asked again`() throws {
        let host = try host { parts in
            let ask: (String) -> AnyPublisher<String, Never> = parts.context.effect("ask", parts.service.ask)
            parts.show(parts.questions.map(ask).switchToLatest())
        }
        try expectAnswer(host, asked: ["\"1\"", "\"2\""], again: ["\"2\""], answers: ["two"])
    }

    @Test func `questions in flatMap are asked again`() throws {
        let host = try host { parts in
            let ask: (String) -> AnyPublisher<String, Never> = parts.context.effect("ask", parts.service.ask)
            parts.show(parts.questions.flatMap(ask))
        }
        try expectAnswer(host, asked: ["\"1\"", "\"2\""], again: ["\"1\"", "\"2\""], answers: ["one", "two"])
    }

    @Test func `two questions in combineLatest are asked again`() throws {
        let host = try host(showTwoAnswers)
        try expectAnswer(host, asked: ["\"1\""], again: ["\"1\"", "\"1\""], answers: ["one", "two"], shows: "one two")
    }

    @Test func `a question whose counterpart in combineLatest was answered is asked again alone`() throws {
        let host = try host(showTwoAnswers)
        let session = host.harness.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "\"1\"")
        service.answer(0, "one")
        host.harness.loop.run()
        try host.restart()
        _ = host.send(.get, session)
        #expect(service.questions == ["\"1\"", "\"1\"", "\"1\""])
        service.answer(2, "two")
        host.harness.loop.run()
        #expect(host.send(.get, session).text.contains(#""answer":"one two""#))
    }

    @Test func `questions in combineLatest of the wiring are asked again`() throws {
        let host = try host { parts in
            let ask: (String) -> AnyPublisher<String, Never> = parts.context.effect("ask", parts.service.ask)
            let count: (String) -> AnyPublisher<String, Never> = parts.context.effect("count", parts.service.ask)
            parts.show(ask("first").combineLatest(count("second")).map { "\($0) \($1)" })
        }
        try expectAnswer(host, asked: [], again: ["first", "second"], answers: ["one", "two"], shows: "one two")
    }

    @Test func `a question in flatMapLatest is asked again`() throws {
        let host = try host { parts in
            let ask: (String) -> AnyPublisher<String, Never> = parts.context.effect("ask", parts.service.ask)
            parts.show(
                parts.questions.asObservable().flatMapLatest { ask($0).asObservable() }.publisher
                    .assertNoFailure())
        }
        try expectAnswer(host, asked: ["\"1\"", "\"2\""], again: ["\"2\""], answers: ["two"])
    }

    @Test func `a question of a publisher inside of another one is asked again`() throws {
        let host = try host { parts in
            let ask: (String) -> AnyPublisher<String, Never> = parts.context.effect("ask", parts.service.ask)
            parts.show(
                parts.questions
                    .map { question in [question].publisher.map(ask).switchToLatest() }
                    .switchToLatest())
        }
        try expectAnswer(host, asked: ["\"1\"", "\"2\""], again: ["\"2\""], answers: ["two"])
    }

    @Test func `a question that follows from an answer is asked again`() throws {
        let host = try host { parts in
            let ask: (String) -> AnyPublisher<String, Never> = parts.context.effect("ask", parts.service.ask)
            let count: (String) -> AnyPublisher<String, Never> = parts.context.effect("count", parts.service.ask)
            parts.show(parts.questions.map { ask($0).map(count).switchToLatest() }.switchToLatest())
        }
        let session = host.harness.makeSession()
        _ = host.send(.post, session + "/inputs/ask", body: "\"1\"")
        try host.restart()
        _ = host.send(.get, session)
        service.answer(1, "one")
        host.harness.loop.run()
        try host.restart()
        _ = host.send(.get, session)
        #expect(service.questions == ["\"1\"", "\"1\"", "one", "one"])
        service.answer(3, "two")
        host.harness.loop.run()
        #expect(host.send(.get, session).text.contains(#""answer":"two""#))
    }

    /// Asks two services the same question, and shows their answers together.
    @Sendable private func showTwoAnswers(_ parts: PipelineParts) {
        let ask: (String) -> AnyPublisher<String, Never> = parts.context.effect("ask", parts.service.ask)
        let count: (String) -> AnyPublisher<String, Never> = parts.context.effect("count", parts.service.ask)
        parts.show(
            parts.questions
                .map { question in ask(question).combineLatest(count(question)).map { "\($0) \($1)" } }
                .switchToLatest())
    }

    /// Asks, ends the process, and checks what the next one asks and shows.
    private func expectAnswer(
        _ host: RestartableHost, asked inputs: [String], again: [String], answers: [String], shows: String? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let session = host.harness.makeSession()
        for input in inputs { _ = host.send(.post, session + "/inputs/ask", body: input) }
        let before = service.questions.count
        try host.restart()
        _ = host.send(.get, session)
        #expect(service.questions.dropFirst(before).sorted() == again, sourceLocation: location)
        try #require(service.questions.count == before + answers.count, sourceLocation: location)
        for (index, answer) in answers.enumerated() { service.answer(before + index, answer) }
        host.harness.loop.run()
        let shown = shows ?? answers.last ?? ""
        #expect(
            host.send(.get, session).text.contains("\"answer\":\"\(shown)\""), sourceLocation: location)
        #expect(!host.send(.get, session).text.contains("inProgress"), sourceLocation: location)
        try host.restart()
        #expect(
            host.send(.get, session).text.contains("\"answer\":\"\(shown)\""), sourceLocation: location)
        #expect(service.questions.count == before + answers.count, sourceLocation: location)
    }

    private func host(_ wire: @escaping @Sendable (PipelineParts) -> Void) throws -> RestartableHost {
        var definition = ScriptedMachine.definition(
            outputs: ["answer"],
            inputs: ["ask": { machine, value in (machine.attachment as? PipelineParts)?.questions.send(value) }],
            made: { [service] machine in
                let parts = PipelineParts(machine, service)
                machine.attachment = parts
                wire(parts)
            })
        definition.captureObstacles = []
        return try RestartableHost([definition])
    }
}

/// A service that answers when the test says so, and outlives the processes that ask it.
private final class RecordedService: Sendable {
    private let calls = Lock<[(question: String, answer: PassthroughSubject<String, Never>)]>([])

    var questions: [String] { calls.withLock { $0.map(\.question) } }

    func ask(_ question: String) -> AnyPublisher<String, Never> {
        let answer = PassthroughSubject<String, Never>()
        calls.withLock { $0.append((question, answer)) }
        return answer.eraseToAnyPublisher()
    }

    func answer(_ index: Int, _ text: String) {
        calls.withLock { $0[index].answer }.send(text)
    }
}

/// A scripted machine with one pipeline, whose output is captured.
private final class PipelineParts: StatefulPart {
    static var partName: StaticString { "pipeline" }

    let service: RecordedService
    let questions = PassthroughSubject<String, Never>()
    private let machine: ScriptedMachine
    private var cancellables: [AnyCancellable] = []

    init(_ machine: ScriptedMachine, _ service: RecordedService) {
        self.machine = machine
        self.service = service
        StateRegistry.current?.register(self)
    }

    var context: SessionContext { machine.context }

    /// Shows the answers of a publisher.
    func show(_ answers: some Publisher<String, Never>) {
        cancellables.append(answers.sink { [machine] in machine.set("answer", to: "\"\($0)\"") })
    }

    var partState: String? { machine.value(of: "answer") }

    func restore(_ state: String?) {
        if let state { machine.set("answer", to: state) }
    }
}
