import ComposableAdapter
import ComposableMacros
import HTTPModel
import MachineHost
import MachineTesting
import Testing

@Reducer
private struct Row {
    struct State: Equatable, Encodable, Identifiable {
        let id: Int
        var name = ""
    }

    enum Action: Equatable {
        case rename(String)
    }

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            if case .rename(let name) = action { state.name = name }
            return .none
        }
    }
}

@Reducer
private struct Table {
    struct State: Equatable, Encodable {
        var rows: IdentifiedArrayOf<Row.State> = [Row.State(id: 1), Row.State(id: 2)]
        @PresentationState var editor: Row.State?
    }

    enum Action: Equatable {
        case edit
        case rows(IdentifiedActionOf<Row>)
        case editor(PresentationAction<Row.Action>)
    }

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            if action == .edit { state.editor = Row.State(id: 9) }
            return .none
        }
        .forEach(\.rows, action: \.rows) { Row() }
        .ifLet(\.$editor, action: \.editor) { Row() }
    }
}

@Reducer
private struct Letters {
    struct State: Equatable, Encodable {
        var text = ""
        var path = StackState<Row.State>()
    }

    enum Action {
        indirect case append(String)
        case put(String, at: Int?)
        case anything(Any)
        case path(StackActionOf<Row>)
        case open(Int)
        #if os(Linux)
            case clear
        #endif
    }

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .append(let text): state.text += text
            case .put(let text, let place): state.text.insert(contentsOf: text, at: state.text.index(at: place))
            case .open(let id): state.path.append(Row.State(id: id))
            case .anything, .path: break
            #if os(Linux)
                case .clear: state.text = ""
            #endif
            }
            return .none
        }
        .forEach(\.path, action: \.path) { Row() }
    }
}

extension String {
    fileprivate func index(at place: Int?) -> Index {
        place.flatMap { index(startIndex, offsetBy: $0, limitedBy: endIndex) } ?? endIndex
    }
}

/// Features written with macros, in a host.
struct ReducerMacroHostingTests {
    private func harness() throws -> HostHarness {
        try HostHarness([
            .composable("table", summary: "Rows with names.") { _ in Store(initialState: Table.State()) { Table() } }
        ])
    }

    @Test func `an action of an element is an input with its id`() throws {
        let harness = try harness()
        let session = harness.makeSession(of: "table")
        let renamed = harness.send(
            .post, session + "/inputs/rows.element.rename", body: #"{"id":2,"value":"two"}"#)
        #expect(renamed.text == #"{"version":1,"changes":{"rows":[{"id":1,"name":""},{"id":2,"name":"two"}]}}"#)
        let missing = harness.send(
            .post, session + "/inputs/rows.element.rename", body: #"{"id":3,"value":"three"}"#)
        #expect(missing.status.code == 409)
    }

    @Test func `an action of a presented feature is an input`() throws {
        let harness = try harness()
        let session = harness.makeSession(of: "table")
        #expect(
            harness.send(.post, session + "/inputs/edit").text
                == #"{"version":1,"changes":{"editor":{"id":9,"name":""}}}"#)
        #expect(
            harness.send(.post, session + "/inputs/editor.presented.rename", body: #""nine""#).text
                == #"{"version":2,"changes":{"editor":{"id":9,"name":"nine"}}}"#)
        #expect(
            harness.send(.post, session + "/inputs/editor.dismiss").text
                == #"{"version":3,"changes":{"editor":null}}"#)
    }

    @Test func `inputs are the cases that the action describes`() throws {
        let harness = try HostHarness([
            .composable("letters", summary: "A text.", excluding: ["anything"]) { _ in
                Store(initialState: Letters.State()) { Letters() }
            }
        ])
        let session = harness.makeSession(of: "letters")
        func send(_ input: String, _ body: String = "null") -> String {
            harness.send(.post, session + "/inputs/" + input, body: body).text
        }
        // Reflection cannot create an indirect case.
        #expect(send("append", #""b""#) == #"{"version":1,"changes":{"text":"b"}}"#)
        #expect(send("put", #"{"_0":"a","at":0}"#) == #"{"version":2,"changes":{"text":"ab"}}"#)
        #expect(send("put", #"{"_0":"c"}"#) == #"{"version":3,"changes":{"text":"abc"}}"#)
        #expect(send("clear") == #"{"version":4,"changes":{"text":""}}"#)
    }

    @Test func `an element that cannot be decoded cannot be pushed by a client, and listing the action says so`() throws
    {
        func letters(_ actions: Set<String>?) throws(MachineRegistrationError) -> MachineDefinition {
            try .composable("letters", summary: "A text.", actions: actions, excluding: ["anything"]) { _ in
                Store(initialState: Letters.State()) { Letters() }
            }
        }
        let inputs = try letters(nil).inputs.map(\.name)
        #expect(inputs.contains("path.popFrom") && !inputs.contains { $0.hasPrefix("path.push") })
        #expect(throws: MachineRegistrationError.self) { try letters(["path.push"]) }
    }

    @Test func `an action of a stack has the id of its element`() throws {
        let harness = try HostHarness([
            .composable("letters", summary: "A text.", excluding: ["anything"]) { _ in
                Store(initialState: Letters.State()) { Letters() }
            }
        ])
        let session = harness.makeSession(of: "letters")
        _ = harness.send(.post, session + "/inputs/open", body: "7")
        #expect(
            harness.send(.post, session + "/inputs/path.element.rename", body: #"{"id":0,"value":"x"}"#).text
                .contains(#""name":"x""#))
        #expect(
            harness.send(.post, session + "/inputs/path.element.rename", body: #"{"id":1,"value":"x"}"#).status.code
                == 409)
        #expect(
            harness.send(.post, session + "/inputs/path.popFrom", body: "0").text
                == #"{"version":3,"changes":{"path":[]}}"#)
    }
}
