import ComposableArchitecture
import FoundationEssentials
import Testing

@testable import DemoMachines

struct RecordMeetingTests {
    private let clock = TestClock()
    private let date = Date(timeIntervalSince1970: 1_234_567_890)
    private let id = SyncUp.design.id

    private func store(seconds: Int = 0, speaker: Int = 0) -> TestStoreOf<RecordMeeting> {
        TestStore(
            initialState: SyncUp.kept(.design) {
                RecordMeeting.State(id: id, secondsElapsed: seconds, speakerIndex: speaker)
            }
        ) {
            RecordMeeting()
        } withDependencies: {
            $0.continuousClock = clock
            $0.date = .constant(date)
            $0.uuid = .incrementing
        }
    }

    /// The meeting that is saved first.
    private func meeting(seconds: Int) -> Meeting { Meeting(id: UUID(0), date: date, seconds: seconds) }

    @Test func `the timer ticks, and the next attendee speaks after half of the time`() async {
        let store = store(seconds: 28)
        #expect(store.state.secondsRemaining == 32)
        let timer = await store.send(\.start)
        await clock.advance(by: .seconds(1))
        await store.receive(\.timerTicked) { $0.secondsElapsed = 29 }
        await clock.advance(by: .seconds(1))
        await store.receive(\.timerTicked) {
            $0.secondsElapsed = 30
            $0.speakerIndex = 1
        }
        await timer.cancel()
    }

    @Test func `a meeting whose time is over is saved`() async {
        let store = store(seconds: 59, speaker: 1)
        let timer = await store.send(\.start)
        await clock.advance(by: .seconds(1))
        await store.receive(\.timerTicked) {
            $0.secondsElapsed = 60
            $0.$syncUps.withLock { [meeting = meeting(seconds: 60)] in
                _ = $0[id: SyncUp.design.id]?.meetings.insert(meeting, at: 0)
            }
        }
        await store.receive(\.delegate.ended)
        await timer.cancel()
    }

    @Test func `the timer stands still while an alert is shown`() async {
        let store = store()
        let timer = await store.send(\.start)
        await store.send(\.endTapped) { $0.alert = .ending(canContinue: true) }
        await clock.advance(by: .seconds(1))
        await store.receive(\.timerTicked)
        await store.send(\.alert.dismiss) { $0.alert = nil }
        await clock.advance(by: .seconds(1))
        await store.receive(\.timerTicked) { $0.secondsElapsed = 1 }
        await timer.cancel()
    }

    @Test func `a meeting that ends early is saved`() async {
        let store = store(seconds: 5)
        await store.send(\.endTapped) { $0.alert = .ending(canContinue: true) }
        await store.send(\.alert.save) {
            $0.alert = nil
            $0.$syncUps.withLock { [meeting = meeting(seconds: 5)] in
                _ = $0[id: SyncUp.design.id]?.meetings.insert(meeting, at: 0)
            }
        }
        await store.receive(\.delegate.ended)
    }

    @Test func `a meeting is discarded`() async {
        let store = store(seconds: 5)
        await store.send(\.endTapped) { $0.alert = .ending(canContinue: true) }
        await store.send(\.alert.discard) { $0.alert = nil }
        await store.receive(\.delegate.ended)
    }

    @Test func `an attendee gives the floor to the next one, and the last one ends the meeting`() async {
        let store = store(seconds: 5)
        await store.send(\.nextTapped) {
            $0.speakerIndex = 1
            $0.secondsElapsed = 30
        }
        await store.send(\.nextTapped) { $0.alert = .ending(canContinue: false) }
        #expect(store.state.alert?.buttons.count == 2)
    }
}
