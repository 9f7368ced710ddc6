import ComposableMacros
import FoundationEssentials

/// The form for a sync-up, which a list or a detail presents.
@Reducer
struct SyncUpForm {
    @ObservableState
    struct State: Equatable, Codable {
        var syncUp: SyncUp
    }

    enum Action: Equatable {
        case addAttendeeTapped
        // Not `id`, which is the name of the id of a screen on the stack in what clients send.
        case attendeeNameChanged(attendee: Attendee.ID, name: String)
        case attendeeRemoved(attendee: Attendee.ID)
        case minutesChanged(Int)
        case themePicked(Theme)
        case titleChanged(String)
    }

    /// The lengths that the form offers.
    static let minutes = 1...30

    @Dependency(\.uuid) var uuid

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .addAttendeeTapped: state.syncUp.attendees.append(Attendee(id: uuid()))
            case .attendeeNameChanged(let id, let name): state.syncUp.attendees[id: id]?.name = name
            case .attendeeRemoved(let id): state.syncUp.attendees.remove(id: id)
            case .minutesChanged(let minutes):
                let range = SyncUpForm.minutes
                state.syncUp.minutes = min(max(minutes, range.lowerBound), range.upperBound)
            case .themePicked(let theme): state.syncUp.theme = theme
            case .titleChanged(let title): state.syncUp.title = title
            }
            return .none
        }
    }
}

extension SyncUp {
    /// The sync-up as it is saved: with a title, and without attendees who have no name.
    var tidied: SyncUp {
        var syncUp = self
        if title.allSatisfy(\.isWhitespace) { syncUp.title = "Untitled" }
        syncUp.attendees.removeAll { $0.name.allSatisfy(\.isWhitespace) }
        return syncUp
    }
}
