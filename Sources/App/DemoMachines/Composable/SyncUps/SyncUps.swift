import ComposableMacros
import FoundationEssentials
import MachineHost

/// The app: the list of sync-ups with a stack of screens above it.
@Reducer
struct SyncUps {
    @Reducer(state: .equatable, action: .equatable)
    enum Path {
        case detail(SyncUpDetail)
        @ReducerCaseIgnored case meeting(Meeting)
        case record(RecordMeeting)
    }

    @ObservableState
    struct State: Equatable, Encodable {
        var list = SyncUpsList.State()
        var path = StackState<Path.State>()
    }

    enum Action: Equatable {
        case list(SyncUpsList.Action)
        case path(StackActionOf<Path>)
        /// The server was restarted, and timers are not running any more.
        case resumed
    }

    var body: some ReducerOf<Self> {
        Scope(state: \.list, action: \.list) { SyncUpsList() }
        Reduce { state, action in
            switch action {
            case .list(.syncUpTapped(let id)):
                if state.list.syncUps[id: id] != nil { state.path.append(.detail(SyncUpDetail.State(id: id))) }
                return .none
            case .path(.element(let id, .detail(.delegate(let request)))):
                return handle(request, of: id, in: &state)
            case .path(.element(let id, .record(.delegate(.ended)))):
                state.path.pop(from: id)
                return .none
            case .resumed:
                let meetings = state.path.ids.filter { state.path[id: $0]?.is(\.record) == true }
                return .merge(meetings.map { .send(.path(.element(id: $0, action: .record(.start)))) })
            case .list, .path: return .none
            }
        }
        .forEach(\.path, action: \.path)
    }

    private func handle(
        _ request: SyncUpDetail.Action.Delegate, of id: StackElementID, in state: inout State
    ) -> Effect<Action> {
        switch request {
        case .deleted: state.path.pop(from: id)
        case .showMeeting(let meeting): state.path.append(.meeting(meeting))
        case .startMeeting:
            guard let syncUp = state.path[id: id]?.detail?.id else { break }
            let meeting = state.path.append(.record(RecordMeeting.State(id: syncUp)))
            return .send(.path(.element(id: meeting, action: .record(.start))))
        }
        return .none
    }
}

extension SyncUps.Path.State: Encodable, JSONDescribed {
    private enum CodingKeys: CodingKey {
        case detail, meeting, record
    }

    /// Encodes an object with one member: the screen, by its name.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .detail(let state): try container.encode(state, forKey: .detail)
        case .meeting(let meeting): try container.encode(meeting, forKey: .meeting)
        case .record(let state): try container.encode(state, forKey: .record)
        }
    }

    static var jsonShape: JSONShape {
        .object([
            .init("detail", SyncUpDetail.State.self, isRequired: false),
            .init("meeting", Meeting.self, isRequired: false),
            .init("record", RecordMeeting.State.self, isRequired: false),
        ])
    }
}
