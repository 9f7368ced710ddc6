import ComposableArchitecture
import FoundationEssentials
import Testing

@testable import DemoMachines

struct SyncUpFormTests {
    private func store(_ syncUp: SyncUp) -> TestStoreOf<SyncUpForm> {
        TestStore(initialState: SyncUpForm.State(syncUp: syncUp)) {
            SyncUpForm()
        } withDependencies: {
            $0.uuid = .incrementing
        }
    }

    @Test func `attendees are added, named and removed`() async {
        let store = store(.empty)
        await store.send(\.addAttendeeTapped) { $0.syncUp.attendees = [Attendee(id: UUID(0))] }
        await store.send(\.addAttendeeTapped) { $0.syncUp.attendees.append(Attendee(id: UUID(1))) }
        await store.send(\.attendeeNameChanged, (attendee: UUID(1), name: "Bob")) {
            $0.syncUp.attendees[id: UUID(1)]?.name = "Bob"
        }
        await store.send(\.attendeeRemoved, UUID(0)) {
            $0.syncUp.attendees = [Attendee(id: UUID(1), name: "Bob")]
        }
        await store.send(\.attendeeRemoved, UUID(0))
    }

    @Test func `title, theme and length are changed`() async {
        let store = store(.design)
        await store.send(\.titleChanged, "Build") { $0.syncUp.title = "Build" }
        await store.send(\.themePicked, .sky) { $0.syncUp.theme = .sky }
        await store.send(\.minutesChanged, 10) { $0.syncUp.minutes = 10 }
        await store.send(\.minutesChanged, 1_000_000) { $0.syncUp.minutes = 30 }
        await store.send(\.minutesChanged, -3) { $0.syncUp.minutes = 1 }
    }

    @Test func `a sync-up that is saved has a title, and attendees with names`() {
        var syncUp = SyncUp.design
        #expect(syncUp.tidied == syncUp)
        syncUp.title = " "
        syncUp.attendees[0].name = ""
        #expect(syncUp.tidied.title == "Untitled")
        #expect(syncUp.tidied.attendees.map(\.name) == ["Bob"])
    }
}
