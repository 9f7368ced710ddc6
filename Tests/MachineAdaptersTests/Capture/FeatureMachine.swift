import ComposableAdapter
import ComposableArchitecture
import FoundationEssentials
import MachineAdapters
import MachineHost

/// A feature with nested state that is not `Decodable`.
struct Notebook: ReducerProtocol {
    struct State: Encodable {
        @BindableState var title = ""
        @PresentationState var editor: Editor.State?
        var child: Child?
        var rows: IdentifiedArrayOf<Row> = []
        var path = StackState<Screen>()
        var mode = Mode.reading
        var alert: AlertState<Action>?
        var stamp = Stamp()
        var ticks = 0
        var interrupted: [String] = []
    }

    // Only `Encodable`, for clients. It is captured by its fields.
    struct Child: Encodable {
        var count = 0
        var past: [Int] = []
    }

    struct Row: Encodable, Identifiable {
        let id: UUID
        var text: String
    }

    enum Screen: Encodable {
        case list
        case detail(Int, name: String)
    }

    enum Mode: Encodable {
        case reading
        case writing(line: Int)
        case failed(String)
    }

    struct Stamp: Encodable {
        var id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        var date = Date(timeIntervalSince1970: 0)
        var alert = ""
    }

    enum Action {
        case add
        case remove
        case push
        case pop
        case open
        case write(Int)
        case warn
        case start
        case tick
        case editor(PresentationAction<Editor.Action>)
        case resumed([String])
    }

    struct Editor: ReducerProtocol {
        struct State: Encodable {
            var text = ""
        }

        enum Action {
            case type
        }

        func reduce(into state: inout State, action: Action) -> EffectTask<Action> {
            state.text += "x"
            return .none
        }
    }

    struct TimerID: Hashable {}

    @Dependency(\.uuid) var uuid
    @Dependency(\.date) var date
    @Dependency(\.mainQueue) var mainQueue

    var body: some ReducerProtocol<State, Action> {
        Reduce { state, action in reduce(&state, action) }
            .ifLet(\.$editor, action: /Action.editor) { Editor() }
    }

    private func reduce(_ state: inout State, _ action: Action) -> EffectTask<Action> {
        switch action {
        case .add:
            state.rows.append(Row(id: uuid(), text: "\(state.rows.count)"))
            state.child = Child(count: (state.child?.count ?? 0) + 1, past: state.child?.past ?? [])
            state.child?.past.append(state.rows.count)
            state.stamp.date = date.now
        case .remove:
            if let last = state.rows.last { state.rows.remove(id: last.id) }
            state.child = state.rows.isEmpty ? nil : state.child
            state.title += "-"
        case .push: state.path.append(state.path.count % 2 == 0 ? .list : .detail(state.path.count, name: state.title))
        case .pop: state.path.popLast()
        case .open: state.editor = state.editor == nil ? Editor.State() : nil
        case .write(let line): state.mode = line > 3 ? .failed("\(line) lines") : .writing(line: line)
        case .warn:
            state.alert = AlertState(title: state.title, dismissButton: .cancel("OK", send: .write(state.rows.count)))
            state.stamp.alert = state.alert?.id.uuidString ?? ""
            state.stamp.id = uuid()
        case .start:
            return Effect.timer(id: TimerID(), every: .milliseconds(100), on: mainQueue).map { _ in Action.tick }
        case .tick: state.ticks += 1
        case .editor: break
        case .resumed(let names): state.interrupted = names
        }
        return .none
    }
}

extension Notebook {
    static func definition() throws -> MachineDefinition {
        try .composable(
            "notebook", summary: "", excluding: ["resumed", "tick"],
            resumed: { work in
                work.isEmpty ? nil : .resumed(work.map(\.name))
            }
        ) { _ in
            Store(initialState: State(), reducer: Notebook())
        }
    }
}
