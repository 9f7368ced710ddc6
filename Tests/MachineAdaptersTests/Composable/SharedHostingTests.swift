import CombineCore
import ComposableAdapter
import ComposableArchitecture
import Dispatch
import Foundation
import HTTPModel
import Locking
import MachineHost
import MachineTesting
import Testing

/// Two features that share values, in a host.
private struct Team: ReducerProtocol {
    struct State: Equatable, Encodable {
        var rounds = 0
        var members: [Member] = []
        @Shared var total: Int
        @Shared(.inMemory("log")) var log: [String] = []
        @Shared(.fileStorage(URL(filePath: "/team.json"))) var best = 0
        @SharedReader(.inMemory("log")) var heard: [String] = []

        init() {
            _total = Shared(value: 0)
        }
    }

    struct Member: Equatable, Encodable {
        @Shared var total: Int
    }

    enum Action {
        case join
        case score(Int)
        case scoreLater(Int)
    }

    func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
        switch action {
        case .join: state.members.append(Member(total: state.$total))
        case .score(let points):
            state.rounds += 1
            if let member = state.members.last { member.$total.withLock { $0 += points } }
            state.$log.withLock { $0.append("\(points)") }
            state.$best.withLock { $0 = max($0, points) }
        case .scoreLater(let points):
            return .run { [total = state.$total] _ in total.withLock { $0 += points } }
        }
        return .none
    }
}

struct SharedHostingTests {
    private let definition: MachineDefinition

    init() throws {
        definition = try .composable("team", summary: "Scores.") { _ in
            Store(initialState: Team.State()) { Team() }
        }
    }

    @Test func `sessions do not see each other's shared values`() throws {
        let harness = try HostHarness([definition])
        let sessions = [harness.makeSession(of: "team"), harness.makeSession(of: "team")]
        _ = harness.send(.post, sessions[0] + "/inputs/join")
        _ = harness.send(.post, sessions[0] + "/inputs/score", body: "3")
        let outputs = sessions.map { harness.send(.get, $0 + "/outputs").text }
        #expect(outputs[0].contains(#""total":3,"log":["3"],"best":3"#), "\(outputs[0])")
        #expect(outputs[1].contains(#""total":0,"log":[],"best":0"#), "\(outputs[1])")
        #expect(!FileManager.default.fileExists(atPath: "/team.json"))
        // Nor does one that is created later.
        let third = harness.send(.get, harness.makeSession(of: "team") + "/outputs").text
        #expect(third.contains(#""total":0,"log":[],"best":0"#))
    }

    @Test func `a state that is created outside of the store's initializer is not shared either`() throws {
        let definition = try MachineDefinition.composable("team", summary: "Scores.") { _ in
            let state = Team.State()
            return Store(initialState: state) { Team() }
        }
        let harness = try HostHarness([definition])
        let sessions = [harness.makeSession(of: "team"), harness.makeSession(of: "team")]
        _ = harness.send(.post, sessions[0] + "/inputs/score", body: "3")
        #expect(harness.send(.get, sessions[0] + "/outputs").text.contains(#""log":["3"]"#))
        #expect(harness.send(.get, sessions[1] + "/outputs").text.contains(#""log":[]"#))
    }

    @Test func `a change of an effect is a change of the outputs`() throws {
        let harness = try HostHarness([definition])
        let session = harness.makeSession(of: "team")
        _ = harness.send(.post, session + "/inputs/scoreLater", body: "5")
        harness.loop.advance(by: .seconds(1))
        #expect(harness.send(.get, session + "/outputs").text.contains(#""total":5"#))
    }

    @Test func `what was shared is shared after a restart`() throws {
        let host = try RestartableHost([definition])
        let session = host.harness.makeSession(of: "team")
        func send(_ input: String, _ body: String = "null") -> String {
            host.send(.post, "\(session)/inputs/\(input)", body: body).text
        }
        _ = send("join")
        _ = send("join")
        _ = send("score", "3")
        let before = host.send(.get, session + "/outputs").text
        try host.restart()
        #expect(host.send(.get, session + "/outputs").text == before)
        let after = send("score", "4")
        #expect(after.contains(#""total":7"#), "\(after)")
        #expect(after.contains(#""members":[{"total":7},{"total":7}]"#), "\(after)")
        #expect(after.contains(#""log":["3","4"]"#), "\(after)")
        #expect(after.contains(#""best":4"#), "\(after)")
        #expect(after.contains(#""heard":["3","4"]"#), "\(after)")
    }

    @Test func `a session with shared values continues as if there had been no restart`() throws {
        try assertResumable(definition, seeds: 1...2, steps: 30)
    }
}

/// A feature that changes a shared value before a child that may not exist handles the action, and that follows a publisher.
private struct Taps: ReducerProtocol {
    struct Child: ReducerProtocol {
        enum Action {
            case save
        }

        func reduce(into state: inout Int, action: Action) -> EffectTask<Action> {
            state += 1
            return .none
        }
    }

    struct State: Equatable, Encodable {
        @Shared(.inMemory("taps")) var taps = 0
        var child: Int?
        var followed = 0
        var isElsewhere = false
    }

    enum Action {
        case tap
        case follow
        case followed(Int)
        case child(Child.Action)
    }

    let numbers: PassthroughSubject<Int, Never>

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .tap, .child: state.$taps.withLock { $0 += 1 }
            case .follow: return .publisher { numbers.map(Action.followed) }
            case .followed(let number):
                state.followed = number
                if MainContext.current == nil { state.isElsewhere = true }
            }
            return .none
        }
        .ifLet(\.child, action: /Action.child) { Child() }
    }
}

/// Shared values and publishers that other threads and refused inputs touch.
struct TapsHostingTests {
    private let numbers = PassthroughSubject<Int, Never>()
    private let harness: HostHarness

    init() throws {
        let numbers = UnsafeTransfer(numbers)
        harness = try HostHarness([
            .composable("taps", summary: "Counts.") { _ in
                Store(initialState: Taps.State()) { Taps(numbers: numbers.value) }
            }
        ])
    }

    @Test func `a refused input leaves no change of a shared value`() {
        let session = harness.makeSession(of: "taps")
        for _ in 0..<2 { #expect(harness.send(.post, session + "/inputs/child.save").status == .conflict) }
        #expect(harness.send(.post, session + "/inputs/tap").status == .ok)
        #expect(harness.send(.get, session + "/outputs").text.contains(#""taps":1"#))
    }

    @Test func `a publisher of an effect may send on any thread`() {
        let session = harness.makeSession(of: "taps")
        #expect(harness.send(.post, session + "/inputs/follow").status == .ok)
        let numbers = UnsafeTransfer(numbers)
        DispatchQueue.global().sync { numbers.value.send(7) }
        harness.loop.run()
        let outputs = harness.send(.get, session + "/outputs").text
        #expect(outputs.contains(#""followed":7"#) && outputs.contains(#""isElsewhere":false"#), "\(outputs)")
    }
}
