import ComposableMacros

/// The editor of a note. Nothing changes until the note is saved.
@Reducer
struct NoteEditor {
    @ObservableState
    struct State: Equatable, Codable {
        var note: Note
    }

    enum Action: Equatable {
        case delegate(Delegate)
        case saveTapped
        case textChanged(String)
        case titleChanged(String)

        /// The actions of the editor that the list handles.
        @CasePathable
        enum Delegate: Equatable {
            case save
        }
    }

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .saveTapped:
                if state.note.title.allSatisfy(\.isWhitespace) { state.note.title = "Untitled" }
                return .send(.delegate(.save))
            case .textChanged(let text):
                state.note.text = text
                return .none
            case .titleChanged(let title):
                state.note.title = title
                return .none
            case .delegate: return .none
            }
        }
    }
}
