import ComposableArchitecture
import FoundationEssentials
import Testing

@testable import DemoMachines

struct SyncUpDetailTests {
    private func store(_ syncUp: SyncUp = .design) -> TestStoreOf<SyncUpDetail> {
        TestStore(initialState: SyncUp.kept(syncUp) { SyncUpDetail.State(id: syncUp.id) }) { SyncUpDetail() }
    }

    @Test func `a sync-up is changed when its form is confirmed`() async {
        let store = store()
        await store.send(\.editTapped) { $0.destination = .edit(SyncUpForm.State(syncUp: .design)) }
        await store.send(\.destination.edit.titleChanged, "Build") {
            $0.destination?.modify(\.edit) { $0.syncUp.title = "Build" }
        }
        await store.send(\.doneEditingTapped) {
            $0.destination = nil
            $0.$syncUps.withLock { $0[id: SyncUp.design.id]?.title = "Build" }
        }
        #expect(store.state.syncUp?.title == "Build")
    }

    @Test func `a form that is dismissed changes nothing`() async {
        let store = store()
        await store.send(\.editTapped) { $0.destination = .edit(SyncUpForm.State(syncUp: .design)) }
        await store.send(\.destination.edit.titleChanged, "Build") {
            $0.destination?.modify(\.edit) { $0.syncUp.title = "Build" }
        }
        await store.send(\.destination.dismiss) { $0.destination = nil }
        await store.send(\.doneEditingTapped)
    }

    @Test func `a sync-up is deleted after a confirmation`() async {
        let store = store()
        await store.send(\.deleteTapped) { $0.destination = .alert(.deletion) }
        await store.send(\.destination.alert.confirmDeletion) {
            $0.destination = nil
            $0.$syncUps.withLock { $0 = [] }
        }
        await store.receive(\.delegate.deleted)
        #expect(store.state.syncUp == nil)
    }

    @Test func `meetings are shown and deleted`() async {
        let store = store()
        let meeting = SyncUp.design.meetings[0]
        await store.send(\.meetingTapped, meeting.id)
        await store.receive(\.delegate.showMeeting, meeting)
        await store.send(\.meetingTapped, UUID(9))
        await store.send(\.meetingDeleted, meeting.id) {
            $0.$syncUps.withLock { $0[id: SyncUp.design.id]?.meetings = [] }
        }
    }

    @Test func `a meeting starts`() async {
        let store = store()
        await store.send(\.startMeetingTapped)
        await store.receive(\.delegate.startMeeting)
    }

    @Test func `a meeting needs attendees, and the alert leads to the form`() async {
        let store = store(.empty)
        await store.send(\.startMeetingTapped) { $0.destination = .alert(.nobodyAttends) }
        await store.send(\.destination.alert.editAttendees) {
            $0.destination = .edit(SyncUpForm.State(syncUp: .empty))
        }
    }
}
