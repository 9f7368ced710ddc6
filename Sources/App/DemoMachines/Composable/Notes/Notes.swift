import ComposableMacros
import FoundationEssentials
import MachineHost

/// A list of notes with a stack of screens: a note, and its editor above it.
@Reducer
struct Notes {
    @Reducer(state: .equatable, action: .equatable)
    enum Path {
        case detail(NoteDetail)
        case editor(NoteEditor)
    }

    @ObservableState
    struct State: Equatable, Encodable {
        var notes: IdentifiedArrayOf<Note> = []
        var path = StackState<Path.State>()
    }

    enum Action: Equatable {
        case addTapped
        case noteTapped(id: UUID)
        case path(StackActionOf<Path>)
    }

    @Dependency(\.uuid) var uuid

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .addTapped: state.path.append(.editor(NoteEditor.State(note: Note(id: uuid()))))
            case .noteTapped(let id):
                guard let note = state.notes[id: id] else { break }
                state.path.append(.detail(NoteDetail.State(note: note)))
            case .path(.element(let id, .detail(.delegate(.delete)))):
                guard let note = state.path[id: id]?.detail?.note else { break }
                state.notes.remove(id: note.id)
                state.path.pop(from: id)
            case .path(.element(let id, .detail(.delegate(.edit)))):
                guard let note = state.path[id: id]?.detail?.note else { break }
                state.path.append(.editor(NoteEditor.State(note: note)))
            case .path(.element(let id, .editor(.delegate(.save)))):
                guard let note = state.path[id: id]?.editor?.note else { break }
                state.path.pop(from: id)
                save(note, in: &state)
            case .path: break
            }
            return .none
        }
        .forEach(\.path, action: \.path)
    }

    /// Replaces a note in the list and where it is shown.
    private func save(_ note: Note, in state: inout State) {
        state.notes.updateOrAppend(note)
        for id in state.path.ids where state.path[id: id]?.detail?.note.id == note.id {
            state.path[id: id, case: \.detail]?.note = note
        }
    }
}

extension Notes.Path.State: Encodable, JSONDescribed {
    private enum CodingKeys: CodingKey {
        case detail, editor
    }

    /// Encodes an object with one member: the screen, by its name.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .detail(let state): try container.encode(state, forKey: .detail)
        case .editor(let state): try container.encode(state, forKey: .editor)
        }
    }

    static var jsonShape: JSONShape {
        .object([
            .init("detail", NoteDetail.State.self, isRequired: false),
            .init("editor", NoteEditor.State.self, isRequired: false),
        ])
    }
}
