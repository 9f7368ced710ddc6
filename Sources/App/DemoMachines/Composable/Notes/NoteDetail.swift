import ComposableMacros
import MachineHost

/// A note, which can be edited and, after a confirmation, deleted.
@Reducer
struct NoteDetail {
    @ObservableState
    struct State: Equatable, Encodable {
        var note: Note
        @Presents var dialog: ConfirmationDialogState<Action.Dialog>?
    }

    enum Action: Equatable {
        case delegate(Delegate)
        case deleteTapped
        case dialog(PresentationAction<Dialog>)
        case editTapped

        /// The actions of the note that the list handles.
        @CasePathable
        enum Delegate: Equatable {
            case delete
            case edit
        }

        @CasePathable
        enum Dialog: Equatable {
            case confirmDeletion
        }
    }

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .deleteTapped:
                state.dialog = .deletion
                return .none
            case .dialog(.presented(.confirmDeletion)): return .send(.delegate(.delete))
            case .editTapped: return .send(.delegate(.edit))
            case .delegate, .dialog: return .none
            }
        }
        .ifLet(\.$dialog, action: \.dialog)
    }
}

extension NoteDetail.State: JSONDescribed {
    static var jsonShape: JSONShape {
        .members(["note": Note.self, "dialog": ConfirmationDialogState<NoteDetail.Action.Dialog>?.self])
    }
}

extension ConfirmationDialogState where Action == NoteDetail.Action.Dialog {
    /// The dialog before a note is deleted.
    static var deletion: ConfirmationDialogState {
        ConfirmationDialogState {
            TextState("Delete this note?")
        } actions: {
            ButtonState(role: .destructive, action: .confirmDeletion) { TextState("Delete") }
            ButtonState(role: .cancel) { TextState("Keep") }
        } message: {
            TextState("It cannot be restored.")
        }
    }
}
