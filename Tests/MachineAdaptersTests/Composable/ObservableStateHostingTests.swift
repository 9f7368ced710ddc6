import ComposableAdapter
import ComposableMacros
import HTTPModel
import Locking
import MachineHost
import MachineTesting
import Testing

/// A text that counts how often it is encoded.
private struct CountedText: Codable, Equatable {
    static let encodings = Lock<[String: Int]>([:])
    let name: String
    var text: String

    init(_ name: String, _ text: String = "") {
        self.name = name
        self.text = text
    }

    init(from decoder: any Decoder) throws {
        self.init("", try decoder.singleValueContainer().decode(String.self))
    }

    func encode(to encoder: any Encoder) throws {
        Self.encodings.withLock { $0[name, default: 0] += 1 }
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

@Reducer
private struct Pair {
    @ObservableState
    struct State: Equatable, Encodable {
        var first: CountedText
        var second: CountedText
        var secret = 0
        @ObservationStateIgnored var ignored = 0
        @Presents var sheet: Sheet?
        @ObservationStateIgnored var past: [State] = []

        init(_ name: String) {
            first = CountedText(name + "1")
            second = CountedText(name + "2")
        }
    }

    @ObservableState
    struct Sheet: Equatable, Encodable {
        var note = ""
    }

    enum Action: Equatable {
        case first(String)
        case second(String)
        case secret
        case ignored
        case both(String)
        case note(String)
        case save
        case undo
    }

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .first(let text): state.first.text = text
            case .second(let text): state.second = CountedText(state.second.name, text)
            case .secret: state.secret += 1
            case .ignored: state.ignored += 1
            case .both(let text): (state.first.text, state.second.text) = (text, text)
            case .note(let text): state.sheet = .init(note: text)
            case .save: state.past.append(state)
            case .undo: state = state.past.last ?? state
            }
            return .none
        }
    }
}

/// Features with observable state, in a host.
struct ObservableStateHostingTests {
    private func harness(_ name: String) throws -> (HostHarness, session: String) {
        let harness = try HostHarness([
            .composable(
                "pair", summary: "Two texts.", hidden: ["secret", "past"]
            ) { _ in
                Store(initialState: Pair.State(name)) { Pair() }
            }
        ])
        return (harness, harness.makeSession(of: "pair"))
    }

    /// Returns how often a member was encoded while a closure ran.
    private func encodings(of name: String, _ body: () -> Void) -> Int {
        let before = CountedText.encodings.withLock { $0[name] ?? 0 }
        body()
        return CountedText.encodings.withLock { $0[name] ?? 0 } - before
    }

    @Test func `only the members that a turn has changed are encoded`() throws {
        let (harness, session) = try harness("a")
        var answer = ""
        let other = encodings(of: "a2") {
            answer = harness.send(.post, session + "/inputs/first", body: #""x""#).text
        }
        #expect(answer == #"{"version":1,"changes":{"first":"x"}}"#)
        #expect(other == 0)
        let first = encodings(of: "a1") {
            answer = harness.send(.post, session + "/inputs/second", body: #""y""#).text
        }
        #expect(answer == #"{"version":2,"changes":{"second":"y"}}"#)
        #expect(first == 0)
        #expect(
            harness.send(.post, session + "/inputs/both", body: #""z""#).text
                == #"{"version":3,"changes":{"first":"z","second":"z"}}"#)
    }

    @Test func `a hidden member encodes nothing`() throws {
        let (harness, session) = try harness("b")
        let count = encodings(of: "b1") {
            #expect(harness.send(.post, session + "/inputs/secret").text == #"{"version":0,"changes":{}}"#)
        }
        #expect(count == 0)
        #expect(
            harness.send(.post, session + "/inputs/first", body: #""x""#).text
                == #"{"version":1,"changes":{"first":"x"}}"#)
    }

    @Test func `members that are not observed are compared`() throws {
        let (harness, session) = try harness("c")
        #expect(
            harness.send(.post, session + "/inputs/ignored").text == #"{"version":1,"changes":{"ignored":1}}"#)
        #expect(
            harness.send(.post, session + "/inputs/note", body: #""n""#).text
                == #"{"version":2,"changes":{"sheet":{"note":"n"}}}"#)
    }

    @Test func `a state that a reducer kept is encoded as a whole`() throws {
        let (harness, session) = try harness("d")
        _ = harness.send(.post, session + "/inputs/save")
        _ = harness.send(.post, session + "/inputs/first", body: #""x""#)
        _ = harness.send(.post, session + "/inputs/second", body: #""y""#)
        #expect(harness.send(.post, session + "/inputs/undo").text.contains(#""first":"","second":"""#))
    }

    @Test func `a new stream has all members`() throws {
        let (harness, session) = try harness("e")
        _ = harness.send(.post, session + "/inputs/first", body: #""x""#)
        let stream = harness.follow(session)
        stream.read()
        #expect(stream.view.outputs["first"] == #""x""#)
        #expect(stream.view.outputs["second"] == #""""#)
        #expect(stream.view.outputs["sheet"] == "null")
    }
}
