import ComposableArchitecture
import FoundationEssentials
import Testing

@testable import DemoMachines

struct SyncUpsListTests {
    private func store() -> TestStoreOf<SyncUpsList> {
        TestStore(initialState: SyncUp.kept(.design) { SyncUpsList.State() }) {
            SyncUpsList()
        } withDependencies: {
            $0.uuid = .incrementing
        }
    }

    @Test func `a sync-up is added when its form is confirmed`() async {
        let store = store()
        let new = SyncUp(id: UUID(0), attendees: [Attendee(id: UUID(1))])
        await store.send(\.addTapped) { $0.destination = .add(SyncUpForm.State(syncUp: new)) }
        await store.send(\.destination.add.titleChanged, "Build") {
            $0.destination?.modify(\.add) { $0.syncUp.title = "Build" }
        }
        await store.send(\.confirmAddTapped) {
            $0.destination = nil
            $0.$syncUps.withLock { $0 = [.design, SyncUp(id: UUID(0), title: "Build")] }
        }
    }

    @Test func `a form that is dismissed adds nothing`() async {
        let store = store()
        let new = SyncUp(id: UUID(0), attendees: [Attendee(id: UUID(1))])
        await store.send(\.addTapped) { $0.destination = .add(SyncUpForm.State(syncUp: new)) }
        await store.send(\.destination.dismiss) { $0.destination = nil }
        await store.send(\.confirmAddTapped)
    }

    @Test func `a sync-up is deleted after a confirmation`() async {
        let store = store()
        let id = SyncUp.design.id
        await store.send(\.deleteTapped, UUID(9))
        await store.send(\.deleteTapped, id) { $0.destination = .alert(.deletion(of: .design)) }
        await store.send(\.destination.alert.confirmDeletion, id) {
            $0.destination = nil
            $0.$syncUps.withLock { $0 = [] }
        }
    }
}
