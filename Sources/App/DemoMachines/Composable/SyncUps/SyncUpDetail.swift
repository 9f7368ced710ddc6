import ComposableMacros
import FoundationEssentials
import MachineHost

/// A sync-up with its attendees and meetings. It can be edited and deleted, and its meeting can begin.
@Reducer
struct SyncUpDetail {
    @Reducer(state: .equatable, action: .equatable)
    enum Destination {
        case alert(AlertState<Alert>)
        case edit(SyncUpForm)

        @CasePathable
        enum Alert: Equatable {
            case confirmDeletion
            case editAttendees
        }
    }

    @ObservableState
    struct State: Equatable {
        let id: SyncUp.ID
        @Shared(.syncUps) var syncUps
        @Presents var destination: Destination.State?

        /// The sync-up; nil once it is deleted.
        var syncUp: SyncUp? { syncUps[id: id] }
    }

    enum Action: Equatable {
        case delegate(Delegate)
        case deleteTapped
        case destination(PresentationAction<Destination.Action>)
        case doneEditingTapped
        case editTapped
        // Not `id`, which is the name of the id of a screen on the stack in what clients send.
        case meetingDeleted(meeting: Meeting.ID)
        case meetingTapped(meeting: Meeting.ID)
        case startMeetingTapped

        /// The actions of the sync-up that the app handles.
        @CasePathable
        enum Delegate: Equatable {
            case deleted
            case showMeeting(Meeting)
            case startMeeting
        }
    }

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            guard let syncUp = state.syncUp else { return .none }
            switch action {
            case .deleteTapped: state.destination = .alert(.deletion)
            case .destination(.presented(.alert(.confirmDeletion))):
                state.$syncUps.withLock { _ = $0.remove(id: syncUp.id) }
                return .send(.delegate(.deleted))
            case .destination(.presented(.alert(.editAttendees))), .editTapped:
                state.destination = .edit(SyncUpForm.State(syncUp: syncUp))
            case .doneEditingTapped:
                guard let edited = state.destination?.edit?.syncUp.tidied else { break }
                state.destination = nil
                state.$syncUps.withLock { $0[id: syncUp.id] = edited }
            case .meetingDeleted(let id): state.$syncUps.withLock { _ = $0[id: syncUp.id]?.meetings.remove(id: id) }
            case .meetingTapped(let id):
                if let meeting = syncUp.meetings[id: id] { return .send(.delegate(.showMeeting(meeting))) }
            case .startMeetingTapped:
                guard syncUp.attendees.isEmpty else { return .send(.delegate(.startMeeting)) }
                state.destination = .alert(.nobodyAttends)
            case .delegate, .destination: break
            }
            return .none
        }
        .ifLet(\.$destination, action: \.destination)
    }
}

extension AlertState where Action == SyncUpDetail.Destination.Alert {
    /// The alert before the sync-up is deleted.
    static var deletion: AlertState {
        AlertState {
            TextState("Delete this sync-up?")
        } actions: {
            ButtonState(role: .destructive, action: .confirmDeletion) { TextState("Delete") }
            ButtonState(role: .cancel) { TextState("Keep") }
        } message: {
            TextState("Its meetings are deleted, too.")
        }
    }

    /// The alert for a meeting without attendees.
    static var nobodyAttends: AlertState {
        AlertState {
            TextState("Nobody attends")
        } actions: {
            ButtonState(action: .editAttendees) { TextState("Add attendees") }
            ButtonState(role: .cancel) { TextState("OK") }
        } message: {
            TextState("A meeting needs somebody who speaks.")
        }
    }
}

extension SyncUpDetail.State: Encodable, JSONDescribed {
    private enum Keys: CodingKey {
        case id, syncUp, destination
    }

    /// Encodes the sync-up instead of the list to which it belongs.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(id, forKey: .id)
        try container.encode(syncUp, forKey: .syncUp)
        try container.encode(destination, forKey: .destination)
    }

    static var jsonShape: JSONShape {
        .object([
            .init("id", UUID.self), .init("syncUp", SyncUp?.self),
            .init("destination", SyncUpDetail.Destination.State?.self),
        ])
    }
}

extension SyncUpDetail.Destination.State: Encodable, JSONDescribed {
    private enum CodingKeys: CodingKey {
        case alert, edit
    }

    /// Encodes an object with one member: what is presented, by its name.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .alert(let state): try container.encode(state, forKey: .alert)
        case .edit(let state): try container.encode(state, forKey: .edit)
        }
    }

    static var jsonShape: JSONShape {
        .object([
            .init("alert", AlertState<SyncUpDetail.Destination.Alert>.self, isRequired: false),
            .init("edit", SyncUpForm.State.self, isRequired: false),
        ])
    }
}
