import CasePaths
import CombineCore
import ComposableAdapter
import ComposableArchitecture
import HTTPModel
import Locking
import Log
import MachineHost
import MachineTesting
import Testing

/// Inputs of composable machines for state that does not exist.
struct MissingStateTests {
    private func refusal(_ input: String, body: String? = nil, of machine: MachineDefinition) throws -> HarnessAnswer {
        let logged = Lock(0)
        let log = Log(level: .warning) { _ in logged.withLock { $0 += 1 } }
        let harness = try HostHarness([machine], log: log)
        let session = harness.makeSession(of: machine.name)
        let before = harness.send(.get, session + "/outputs").text
        let answer = harness.send(.post, "\(session)/inputs/\(input)", body: body)
        #expect(answer.status == .conflict)
        #expect(answer.text.contains("/problems/missing-state"))
        #expect(harness.send(.get, session + "/outputs").text == before)
        #expect(harness.send(.get, session).text.contains("\"version\":0"))
        #expect(logged.withLock { $0 } == 0)
        return answer
    }

    @Test func `a removed element is named`() throws {
        let answer = try refusal("item.toggled", body: #"{"id":7}"#, of: kitchen())
        #expect(
            answer.text.contains(
                #"The state of the input \"item.toggled\" does not exist: \"item\" has no element with id 7."#))
    }

    @Test(arguments: [
        ("child.up", nil, #"\"child\" is nil"#), ("ifLet.up", nil, #"\"ifLet\" is nil"#),
        ("mode.up", nil, #"\"mode\" is not the current case"#),
        ("scoped.up", nil, #"\"scoped\" is not the current case"#),
        ("ifCase.up", nil, #"\"ifCase\" is not the current case"#),
        ("row.up", #"{"_0":3}"#, #"\"row\" has no element 3"#),
        ("keyed.up", #"{"_0":"k"}"#, #"\"keyed\" has no value for k"#),
        ("element.up", #"{"_0":4}"#, #"\"element\" has no element with id 4"#),
        ("sheet.presented.up", nil, #"\"sheet.presented\" is not presented"#),
    ])
    func `the missing state is named, and nothing changes`(input: String, body: String?, reason: String) throws {
        #expect(try refusal(input, body: body, of: ghosts()).text.contains(reason))
    }

    @Test func `a value from a client is truncated in messages`() throws {
        let long = String(repeating: "k", count: 5000)
        let answer = try refusal("keyed.up", body: "{\"_0\":\"\(long)\"}", of: ghosts())
        #expect(answer.text.utf8.count < 600)
    }

    @Test func `a batch stops at the rejected input and reports how many inputs ran`() throws {
        let harness = try HostHarness([ghosts()])
        let session = harness.makeSession(of: "ghosts")
        let batch = #"[{"input":"increment"},{"input":"increment"},{"input":"child.up"},{"input":"increment"}]"#
        let fields: HTTPFields = [.idempotencyKey: "k"]
        for isRepeat in [false, true] {
            let answer = harness.send(.post, session + "/inputs", body: batch, fields: fields)
            #expect(answer.status == .conflict)
            #expect(answer.fields.value(.contentType) == "application/problem+json")
            #expect(answer.text.contains(#""ran":2"#) && answer.text.contains(#""version":1"#))
            #expect(answer.text.contains(#""errors":[{"pointer":"/2","detail":"\"child\" is nil"}]"#))
            #expect(answer.fields.contains(.idempotencyReplayed) == isRepeat)
            #expect(harness.send(.get, session).text.contains(#""count":2"#))
        }
    }

    @Test func `a key can be reused after a rejection that ran nothing`() throws {
        let harness = try HostHarness([ghosts()])
        let session = harness.makeSession(of: "ghosts")
        let fields: HTTPFields = [.idempotencyKey: "k"]
        #expect(harness.send(.post, session + "/inputs/child.up", fields: fields).status == .conflict)
        _ = harness.send(.post, session + "/inputs/makeChild")
        let answer = harness.send(.post, session + "/inputs/child.up", fields: fields)
        #expect(answer.status == .ok)
        #expect(answer.text.contains(#""child":1"#))
    }

    @Test func `a scoped store rejects actions like its root`() throws {
        let definition = try MachineDefinition.composable("scoped", summary: "", excluding: ["haunted"]) { _ in
            Store(initialState: Ghosts(), reducer: ghostReducer, environment: ())
                .scope(state: { ["count": $0.count] }, action: { $0 })
        }
        let answer = try refusal("child.up", of: definition)
        #expect(answer.text.contains(#"\"child\" is nil"#))
    }

    @Test func `an effect of a rejected action does not start`() throws {
        let harness = try HostHarness([ghosts()])
        let session = harness.makeSession(of: "ghosts")
        _ = harness.send(.post, session + "/inputs/child.effect")
        harness.loop.run()
        #expect(harness.send(.get, session).text.contains(#""version":0"#))
    }
}

struct Ghosts: Equatable, Encodable {
    var count = 0
    var child: Int?
    var mode = Mode.off
    var rows: [Int] = []
    var keyed: [String: Int] = [:]
    var elements: IdentifiedArrayOf<KitchenItem> = []
    @PresentationState var sheet: Int?

    enum Mode: Equatable, Encodable { case off, on(Int) }
}

enum GhostAction {
    enum Child { case up, effect }

    case increment
    case haunt
    case haunted
    case makeChild
    case child(Child)
    case ifLet(Child)
    case mode(Child)
    case scoped(Child)
    case ifCase(Child)
    case row(Int, Child)
    case keyed(String, Child)
    case element(Int, Child)
    case sheet(PresentationAction<Child>)
}

private let numberReducer = Reducer<Int, GhostAction.Child, Void> { state, action, _ in
    state += 1
    return .none
}

private var number: Reduce<Int, GhostAction.Child> { Reduce(numberReducer, environment: ()) }

/// Counts every other action; a rejection has to undo this change, too.
private let parent = Reducer<Ghosts, GhostAction, Void> { state, action, _ in
    switch action {
    case .makeChild: state.child = 0
    case .child(.effect):
        state.count += 1
        return Effect(value: .increment)
    case .haunt:
        state.count += 1
        return Effect(value: .child(.up))
    default: state.count += 1
    }
    return .none
}

private let identity = CasePath<GhostAction.Child, GhostAction.Child>(embed: { $0 }, extract: { $0 })

private var modern: Reduce<Ghosts, GhostAction> {
    EmptyReducer<Ghosts, GhostAction>()
        .ifLet(\.child, action: /GhostAction.ifLet) { number }
        .ifLet(\.$sheet, action: /GhostAction.sheet) { number }
        .forEach(\.elements, action: /GhostAction.element) { EmptyReducer<KitchenItem, GhostAction.Child>() }
}

let ghostReducer = Reducer<Ghosts, GhostAction, Void>.combine(
    numberReducer.optional().pullback(state: \.child, action: /GhostAction.child, environment: { _ in () }),
    numberReducer.pullback(state: /Ghosts.Mode.on, action: identity, environment: { _ in () })
        .pullback(state: \.mode, action: /GhostAction.mode, environment: { _ in () }),
    Reducer(
        Scope(state: \.mode, action: /GhostAction.scoped) {
            Scope(state: /Ghosts.Mode.on, action: identity) { number }
        }),
    Reducer(
        Scope(state: \.mode, action: /GhostAction.ifCase) {
            EmptyReducer<Ghosts.Mode, GhostAction.Child>().ifCaseLet(/Ghosts.Mode.on, action: identity) { number }
        }),
    Reducer(modern),
    numberReducer.forEach(state: \.rows, action: /GhostAction.row, environment: { _ in () }),
    numberReducer.forEach(state: \.keyed, action: /GhostAction.keyed, environment: { _ in () }),
    parent)

func ghosts() throws(MachineRegistrationError) -> MachineDefinition {
    try .composable("ghosts", summary: "", excluding: ["haunted"]) { _ in
        Store(initialState: Ghosts(), reducer: ghostReducer, environment: ())
    }
}
