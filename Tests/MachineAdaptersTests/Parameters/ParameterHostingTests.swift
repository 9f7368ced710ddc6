import ComposableAdapter
import ComposableArchitecture
import HTTPModel
import MachineAdapters
import MachineHost
import MachineTesting
import Ricemill
import RicemillAdapter
import RxCore
import Testing
import Unio
import UnioAdapter

/// The parameters of the machines in these tests.
private struct Start: Decodable, Sendable {
    enum Unit: String, Decodable, Sendable { case piece, dozen }

    let count: Int
    var unit: Unit?

    var pieces: Int { unit == .dozen ? 12 * count : count }
}

/// Rejects every sample.
private struct Picky: Decodable, Sendable {
    struct Refusal: Error {}

    let text: String

    init(text: String) {
        self.text = text
    }

    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        guard text.count > 5 else { throw Refusal() }
    }
}

private struct CountFeature: ReducerProtocol {
    struct State: Equatable, Codable, Sendable { var count: Int }
    enum Action: Equatable { case increment }

    func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        state.count += 1
        return .none
    }
}

/// Registrations that name the type of their parameters.
struct ParameterHostingTests {
    /// One machine of each style, which counts from a start.
    private func machines() throws -> [MachineDefinition] {
        [
            try .ricemill(
                "ricemill", summary: "Counts.", parameters: Start.self, hidden: ["secret", "broken", "closure"]
            ) {
                _, start in
                let store = KitchenMachine.Store()
                store.count = start.pieces
                return KitchenMachine(input: .init(), store: store, extra: .init())
            },
            try .unio("unio", summary: "Counts.", parameters: Start.self, outputs: [.value("count", \.count)]) {
                _, start in
                let state = PantryStream.State()
                state.count.accept(start.pieces)
                return PantryStream(input: .init(), state: state, extra: .init())
            },
            try .composable("composable", summary: "Counts.", parameters: Start.self) { _, start in
                Store(initialState: CountFeature.State(count: start.pieces), reducer: CountFeature())
            },
            try .composable("view", summary: "Counts.", parameters: Start.self, view: { $0 }) { _, start in
                Store(initialState: CountFeature.State(count: start.pieces), reducer: CountFeature())
            },
            try .composable(
                "listed", summary: "Counts.", parameters: Start.self, outputs: [.value("count", \.count)]
            ) { _, start in
                Store(initialState: CountFeature.State(count: start.pieces), reducer: CountFeature())
            },
        ]
    }

    private static let names = ["ricemill", "unio", "composable", "view", "listed"]

    private func create(_ host: HostHarness, _ machine: String, _ parameters: String) -> HarnessAnswer {
        host.send(.post, "/v1/sessions", body: #"{"machine":"\#(machine)","parameters":\#(parameters)}"#)
    }

    @Test(arguments: names)
    func `the factory of each style receives the parameters`(machine: String) throws {
        let host = try HostHarness(try machines())
        let answer = create(host, machine, #"{"count":2,"unit":"dozen"}"#)
        #expect(answer.status == .created, "\(answer.text)")
        #expect(answer.text.contains(#""count":24"#))
        #expect(create(host, machine, #"{"count":7}"#).text.contains(#""count":7"#))
    }

    @Test(arguments: names)
    func `parameters that do not fit the type are named`(machine: String) throws {
        let host = try HostHarness(try machines())
        for (parameters, pointer, detail) in [
            (#"{"count":"2"}"#, "/parameters/count", #"got the string \"2\""#),
            (#"{"count":2,"unit":"gross"}"#, "/parameters/unit", #"expected one of \"piece\", \"dozen\" or null"#),
            (#"{"count":2,"units":"piece"}"#, "/parameters/units", #"did you mean \"unit\"?"#),
            ("{}", "/parameters/count", "got nothing"), ("null", "/parameters/count", "got nothing"),
            ("7", "/parameters", "expected an object, got the number 7"),
        ] {
            let answer = create(host, machine, parameters)
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains(#""pointer":"\#(pointer)""#), "\(answer.text)")
            #expect(answer.text.contains(detail), "\(answer.text)")
        }
        #expect(host.host.sessionCount == 0)
    }

    @Test(arguments: names)
    func `the description has the schema of the type`(machine: String) throws {
        let text = try HostHarness(try machines()).send(.get, "/v1/machines/\(machine)").text
        #expect(text.contains(#""parameters":{"type":"object","properties":{"count":{"type":"integer""#))
        #expect(text.contains(#""required":["count"],"additionalProperties":false}"#))
    }

    @Test(arguments: ["unio", "composable", "listed"])
    func `a restored machine is wired with the parameters of its creation`(name: String) throws {
        let machine = try #require(try machines().first { $0.name == name })
        let host = try RestartableHost([machine])
        let created = host.send(
            .post, "/v1/sessions", body: #"{"machine":"\#(name)","parameters":{"count":2,"unit":"dozen"}}"#)
        #expect(created.text.contains(#""durability":"disk""#))
        let session = try #require(created.fields.value(.location))
        try host.restart()
        #expect(host.send(.get, session).text.contains(#""count":24"#))
        try assertResumable(machine, seeds: 1...2, steps: 20)
    }

    @Test(arguments: MachinePoint.allCases)
    func `a machine with parameters keeps the contract of all machines`(point: MachinePoint) throws {
        for name in ["composable", "listed"] {
            let machine = try #require(try machines().first { $0.name == name })
            let tested = MachineCase(machine, parameters: #"{"count":2}"#, script: ["increment"])
            #expect(tested.findings(point) == [])
        }
    }

    @Test func `a recording is replayed with the parameters of its session`() throws {
        let machine = try #require(try machines().last)
        let tested = MachineCase(machine, parameters: #"{"count":2,"unit":"dozen"}"#, script: ["increment"])
        let recording = try tested.recording()
        try assertReplays(recording, machine)
        let other = try MachineDefinition.composable(
            "listed", summary: "Counts.", parameters: Start.self, outputs: [.value("count", \.count)]
        ) { _, start in
            Store(initialState: CountFeature.State(count: start.count), reducer: CountFeature())
        }
        #expect(throws: NotReplayable.self) { try assertReplays(recording, other) }
    }

    @Test func `a type that accepts no sample needs one`() throws {
        func register(_ sample: Picky?) throws -> MachineDefinition {
            try .composable("picky", summary: "Counts.", parameters: Picky.self, sample: sample) { _, parameters in
                Store(initialState: CountFeature.State(count: parameters.text.count), reducer: CountFeature())
            }
        }
        let error = #expect(throws: MachineRegistrationError.self) { try register(nil) }
        #expect(error?.detail.contains("pass one as sample") == true)
        let host = try HostHarness([try register(Picky(text: "example"))])
        #expect(create(host, "picky", #""seventeen""#).text.contains(#""count":9"#))
        #expect(create(host, "picky", #""four""#).status == .unprocessableContent)
        #expect(create(host, "picky", "null").status == .unprocessableContent)
    }

    @Test func `a context without the parameters of a session throws`() throws {
        let machine = try #require(try machines().last)
        #expect(throws: ParametersMismatch.self) {
            _ = try machine.make(SessionContext(loop: VirtualEventLoop()))
        }
        #expect(throws: ParametersMismatch.self) {
            _ = try SessionContext(loop: VirtualEventLoop()).parameters(as: Start.self)
        }
    }

    @Test func `a parameter may be secret`() throws {
        let machine = try #require(try machines().last)
        #expect(try machine.secret("count").parameters != nil)
        #expect(throws: MachineRegistrationError.self) { try machine.secret("cuont") }
    }
}
