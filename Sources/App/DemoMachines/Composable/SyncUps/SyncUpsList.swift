import ComposableMacros
import FoundationEssentials
import MachineHost

/// The list of sync-ups, and the form for a new one.
@Reducer
struct SyncUpsList {
    @Reducer(state: .equatable, action: .equatable)
    enum Destination {
        case add(SyncUpForm)
        case alert(AlertState<Alert>)

        @CasePathable
        enum Alert: Equatable {
            case confirmDeletion(id: UUID)
        }
    }

    @ObservableState
    struct State: Equatable, Encodable {
        @Shared(.syncUps) var syncUps
        @Presents var destination: Destination.State?
    }

    enum Action: Equatable {
        case addTapped
        case confirmAddTapped
        case deleteTapped(id: UUID)
        case destination(PresentationAction<Destination.Action>)
        /// The user wants to see a sync-up. The app pushes it.
        case syncUpTapped(id: UUID)
    }

    @Dependency(\.uuid) var uuid

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .addTapped:
                let syncUp = SyncUp(id: uuid(), attendees: [Attendee(id: uuid())])
                state.destination = .add(SyncUpForm.State(syncUp: syncUp))
            case .confirmAddTapped:
                guard let syncUp = state.destination?.add?.syncUp.tidied else { break }
                state.destination = nil
                state.$syncUps.withLock { _ = $0.append(syncUp) }
            case .deleteTapped(let id):
                guard let syncUp = state.syncUps[id: id] else { break }
                state.destination = .alert(.deletion(of: syncUp))
            case .destination(.presented(.alert(.confirmDeletion(let id)))):
                state.$syncUps.withLock { _ = $0.remove(id: id) }
            case .destination, .syncUpTapped: break
            }
            return .none
        }
        .ifLet(\.$destination, action: \.destination)
    }
}

extension AlertState where Action == SyncUpsList.Destination.Alert {
    /// The alert before a sync-up is deleted.
    static func deletion(of syncUp: SyncUp) -> AlertState {
        AlertState {
            TextState("Delete \(syncUp.title)?")
        } actions: {
            ButtonState(role: .destructive, action: .confirmDeletion(id: syncUp.id)) { TextState("Delete") }
            ButtonState(role: .cancel) { TextState("Keep") }
        } message: {
            TextState("Its meetings are deleted, too.")
        }
    }
}

extension SyncUpsList.State: JSONDescribed {
    static var jsonShape: JSONShape {
        .object([
            .init("syncUps", IdentifiedArrayOf<SyncUp>.self), .init("destination", SyncUpsList.Destination.State?.self),
        ])
    }
}

extension SyncUpsList.Destination.State: Encodable, JSONDescribed {
    private enum CodingKeys: CodingKey {
        case add, alert
    }

    /// Encodes an object with one member: what is presented, by its name.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .add(let state): try container.encode(state, forKey: .add)
        case .alert(let state): try container.encode(state, forKey: .alert)
        }
    }

    static var jsonShape: JSONShape {
        .object([
            .init("add", SyncUpForm.State.self, isRequired: false),
            .init("alert", AlertState<SyncUpsList.Destination.Alert>.self, isRequired: false),
        ])
    }
}
