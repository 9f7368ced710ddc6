import ComposableArchitecture
import FoundationEssentials

@testable import DemoMachines

extension SyncUp {
    /// A sync-up of a minute with two attendees, and one meeting.
    static let design = SyncUp(
        id: UUID(100), title: "Design", minutes: 1,
        attendees: [Attendee(id: UUID(101), name: "Ann"), Attendee(id: UUID(102), name: "Bob")],
        meetings: [Meeting(id: UUID(103), date: Date(timeIntervalSince1970: 0), seconds: 60)])

    /// A sync-up that nobody attends.
    static let empty = SyncUp(id: UUID(200), title: "Empty")

    /// Returns a state after the user's sync-ups were put in place, for the initial state of a test store.
    static func kept<State>(_ syncUps: SyncUp..., then state: () -> State) -> State {
        @Shared(.syncUps) var all
        $all.withLock { $0 = IdentifiedArray(syncUps) }
        return state()
    }
}
