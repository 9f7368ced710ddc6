import ComposableAdapter
import ComposableMacros
import Foundation
import HTTPModel
import MachineHost
import MachineTesting
import Testing

@Reducer
private struct Screen {
    @ObservableState
    struct State: Equatable, Encodable, JSONDescribed {
        @Shared(.inMemory("texts")) var texts: [String] = []
        @Presents var alert: AlertState<Action.Alert>?

        static var jsonShape: JSONShape {
            .object([.init("texts", [String].self), .init("alert", AlertState<Action.Alert>?.self)])
        }
    }

    enum Action: Equatable {
        case add(String)
        case alert(PresentationAction<Alert>)

        @CasePathable
        enum Alert: Equatable { case confirm }
    }

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            if case .add(let text) = action { state.$texts.withLock { $0.append(text) } }
            return .none
        }
        .ifLet(\.$alert, action: \.alert)
    }
}

/// A feature whose parts share a value.
@Reducer
private struct Screens {
    @ObservableState
    struct State: Equatable, Encodable {
        var first = Screen.State()
        var second = Screen.State()
        var path = StackState<Screen.State>()
        @Shared(.inMemory("texts")) var texts: [String] = []
        @Presents var sheet: Screen.State?
    }

    enum Action: Equatable {
        case first(Screen.Action)
        case open
        case path(StackActionOf<Screen>)
        case sheet(PresentationAction<Screen.Action>)
    }

    var body: some ReducerOf<Self> {
        Scope(state: \.first, action: \.first) { Screen() }
        Reduce { state, action in
            if action == .open { state.path.append(Screen.State()) }
            return .none
        }
        .forEach(\.path, action: \.path) { Screen() }
        .ifLet(\.$sheet, action: \.sheet) { Screen() }
    }
}

/// States that are encoded and not decoded, as those with an alert or a shared value, in a host.
struct DescribedStateTests {
    private let definition: MachineDefinition

    init() throws {
        definition = try .composable("screens", summary: "Screens.", actions: ["first", "open", "path"]) { _ in
            Store(initialState: Screens.State()) { Screens() }
        }
    }

    private func schema(_ name: String) throws -> JSONSchema {
        try #require(definition.outputs.first { $0.name == name }).schema
    }

    @Test func `a stack has the ids and the states of its elements`() throws {
        guard case .array(.named(_, .object(let members))) = try schema("path") else {
            Issue.record("expected an array of objects, got \(try schema("path"))")
            return
        }
        #expect(members.map(\.name) == ["id", "value"])
        #expect(members.map(\.isRequired) == [true, true])
        #expect(members.last?.schema == .of(encodable: Screen.State.self))
    }

    @Test func `presented state is that of the child, or null`() throws {
        #expect(try schema("sheet") == .of(encodable: Screen.State?.self))
        #expect(
            JSONSchema.of(encodable: PresentationState<AlertState<Screen.Action.Alert>>.self)
                == .of(encodable: AlertState<Screen.Action.Alert>?.self))
    }

    @Test func `a shared value has the schema of the value`() throws {
        #expect(try schema("texts") == .of([String].self))
        #expect(JSONSchema.of(encodable: SharedReader<Int>.self) == .of(Int.self))
    }

    @Test func `a change of a shared value is a change of every output that shows it`() throws {
        let harness = try HostHarness([definition])
        let session = harness.makeSession(of: "screens")
        _ = harness.send(.post, session + "/inputs/open")
        let answer = harness.send(.post, session + "/inputs/path.element.add", body: #"{"id":0,"value":"a"}"#).text
        #expect(answer.contains(#""first":{"texts":["a"],"alert":null}"#), "\(answer)")
        #expect(answer.contains(#""second":{"texts":["a"],"alert":null}"#), "\(answer)")
        #expect(answer.contains(#""texts":["a"],"#), "\(answer)")
        #expect(answer.contains(#""path":[{"id":0,"value":{"texts":["a"],"alert":null}}]"#), "\(answer)")
        #expect(
            harness.send(.post, session + "/inputs/first.add", body: #""b""#).text.contains(
                #""path":[{"id":0,"value":{"texts":["a","b"],"alert":null}}]"#))
    }
}
