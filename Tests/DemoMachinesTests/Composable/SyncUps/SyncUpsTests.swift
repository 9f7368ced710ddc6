import ComposableArchitecture
import FoundationEssentials
import Testing

@testable import DemoMachines

/// Tests of the app: how its features work together.
struct SyncUpsTests {
    private let clock = TestClock()
    private let date = Date(timeIntervalSince1970: 1_234_567_890)
    private let id = SyncUp.design.id

    private func store(_ path: () -> StackState<SyncUps.Path.State> = { [] }) -> TestStoreOf<SyncUps> {
        TestStore(initialState: SyncUp.kept(.design) { SyncUps.State(path: path()) }) {
            SyncUps()
        } withDependencies: {
            $0.continuousClock = clock
            $0.date = .constant(date)
            $0.uuid = .incrementing
        }
    }

    @Test func `a meeting is held, and then belongs to its sync-up`() async {
        let (store, id) = (store(), id)
        let meeting = Meeting(id: UUID(0), date: date, seconds: 1)
        await store.send(\.list.syncUpTapped, id) { $0.path[id: 0] = .detail(SyncUpDetail.State(id: id)) }
        await store.send(\.path[id: 0].detail.startMeetingTapped)
        await store.receive(\.path[id: 0].detail.delegate.startMeeting) {
            $0.path[id: 1] = .record(RecordMeeting.State(id: id))
        }
        await store.receive(\.path[id: 1].record.start)
        await clock.advance(by: .seconds(1))
        await store.receive(\.path[id: 1].record.timerTicked) {
            $0.path[id: 1, case: \.record]?.secondsElapsed = 1
        }
        await store.send(\.path[id: 1].record.endTapped) {
            $0.path[id: 1, case: \.record]?.alert = .ending(canContinue: true)
        }
        await store.send(\.path[id: 1].record.alert.save) {
            $0.path[id: 1, case: \.record]?.alert = nil
            $0.list.$syncUps.withLock { _ = $0[id: id]?.meetings.insert(meeting, at: 0) }
        }
        await store.receive(\.path[id: 1].record.delegate.ended) { $0.path.pop(from: 1) }
        #expect(store.state.path[id: 0]?.detail?.syncUp?.meetings.count == 2)
        await store.finish()
    }

    @Test func `a sync-up that is deleted in its detail is left`() async {
        let (store, id) = (store(), id)
        await store.send(\.list.syncUpTapped, UUID(9))
        await store.send(\.list.syncUpTapped, id) { $0.path[id: 0] = .detail(SyncUpDetail.State(id: id)) }
        await store.send(\.path[id: 0].detail.deleteTapped) {
            $0.path[id: 0, case: \.detail]?.destination = .alert(.deletion)
        }
        await store.send(\.path[id: 0].detail.destination.alert.confirmDeletion) {
            $0.path[id: 0, case: \.detail]?.destination = nil
            $0.list.$syncUps.withLock { $0 = [] }
        }
        await store.receive(\.path[id: 0].detail.delegate.deleted) { $0.path = [] }
    }

    @Test func `a meeting that was held is shown`() async {
        let (store, id) = (store(), id)
        let meeting = SyncUp.design.meetings[0]
        await store.send(\.list.syncUpTapped, id) { $0.path[id: 0] = .detail(SyncUpDetail.State(id: id)) }
        await store.send(\.path[id: 0].detail.meetingTapped, meeting.id)
        await store.receive(\.path[id: 0].detail.delegate.showMeeting, meeting) { $0.path[id: 1] = .meeting(meeting) }
    }

    @Test func `after a restart, the timer of a meeting continues`() async {
        let id = id
        let store = store { [.detail(SyncUpDetail.State(id: id)), .record(RecordMeeting.State(id: id))] }
        await store.send(\.resumed)
        await store.receive(\.path[id: 1].record.start)
        await clock.advance(by: .seconds(1))
        await store.receive(\.path[id: 1].record.timerTicked) {
            $0.path[id: 1, case: \.record]?.secondsElapsed = 1
        }
        await store.send(\.path.popFrom, 1) { $0.path.pop(from: 1) }
        await store.finish()
    }
}
