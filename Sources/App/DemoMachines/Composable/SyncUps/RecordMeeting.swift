import ComposableMacros
import FoundationEssentials
import MachineHost

/// A meeting in progress. Each attendee speaks for the same time; the timer stands still while an alert is shown.
@Reducer
struct RecordMeeting {
    @ObservableState
    struct State: Equatable {
        let id: SyncUp.ID
        var secondsElapsed = 0
        var speakerIndex = 0
        @Shared(.syncUps) var syncUps
        @Presents var alert: AlertState<Action.Alert>?

        /// The sync-up; nil if it was deleted.
        var syncUp: SyncUp? { syncUps[id: id] }

        /// The time until the meeting ends.
        var secondsRemaining: Int { max((syncUp?.minutes ?? 0) * 60 - secondsElapsed, 0) }
    }

    enum Action: Equatable {
        case alert(PresentationAction<Alert>)
        case delegate(Delegate)
        case endTapped
        case nextTapped
        /// The meeting begins, or continues after a restart of the server.
        case start
        case timerTicked

        @CasePathable
        enum Alert: Equatable {
            case discard
            case save
        }

        /// The actions of the meeting that the app handles.
        @CasePathable
        enum Delegate: Equatable {
            case ended
        }
    }

    private enum CancelID { case timer }

    @Dependency(\.continuousClock) var clock
    @Dependency(\.date.now) var now
    @Dependency(\.uuid) var uuid

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .alert(.presented(.discard)): return .send(.delegate(.ended))
            case .alert(.presented(.save)): return save(state)
            case .endTapped:
                state.alert = .ending(canContinue: true)
                return .none
            case .nextTapped: return next(&state)
            case .start:
                return .run { send in
                    for await _ in clock.timer(interval: .seconds(1)) { await send(.timerTicked) }
                }
                .cancellable(id: CancelID.timer, cancelInFlight: true)
            case .timerTicked: return tick(&state)
            case .alert, .delegate: return .none
            }
        }
        .ifLet(\.$alert, action: \.alert)
    }

    /// Gives the next attendee the floor, as if the time of the current one were over.
    private func next(_ state: inout State) -> Effect<Action> {
        guard let syncUp = state.syncUp, state.speakerIndex + 1 < syncUp.attendees.count else {
            state.alert = .ending(canContinue: false)
            return .none
        }
        state.speakerIndex += 1
        state.secondsElapsed = state.speakerIndex * syncUp.secondsPerAttendee
        return .none
    }

    private func tick(_ state: inout State) -> Effect<Action> {
        guard state.alert == nil, let syncUp = state.syncUp else { return .none }
        state.secondsElapsed += 1
        if state.secondsRemaining == 0 { return save(state) }
        let speaker = state.secondsElapsed / max(syncUp.secondsPerAttendee, 1)
        state.speakerIndex = min(max(speaker, state.speakerIndex), max(syncUp.attendees.count - 1, 0))
        return .none
    }

    /// Adds the meeting to its sync-up.
    private func save(_ state: State) -> Effect<Action> {
        let meeting = Meeting(id: uuid(), date: now, seconds: state.secondsElapsed)
        state.$syncUps.withLock { _ = $0[id: state.id]?.meetings.insert(meeting, at: 0) }
        return .send(.delegate(.ended))
    }
}

extension AlertState where Action == RecordMeeting.Action.Alert {
    /// The alert before a meeting ends.
    ///
    /// - Parameter canContinue: Whether there is time left; otherwise the last attendee has spoken.
    static func ending(canContinue: Bool) -> AlertState {
        AlertState {
            TextState("End the meeting?")
        } actions: {
            ButtonState(action: .save) { TextState("Save and end") }
            ButtonState(role: .destructive, action: .discard) { TextState("Discard") }
            if canContinue { ButtonState(role: .cancel) { TextState("Continue") } }
        } message: {
            TextState(canContinue ? "It is not over yet." : "Everybody has spoken.")
        }
    }
}

extension RecordMeeting.State: Encodable, JSONDescribed {
    private enum Keys: CodingKey {
        case id, secondsElapsed, secondsRemaining, speakerIndex, alert
    }

    /// Encodes the times, and not the list of sync-ups.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(id, forKey: .id)
        try container.encode(secondsElapsed, forKey: .secondsElapsed)
        try container.encode(secondsRemaining, forKey: .secondsRemaining)
        try container.encode(speakerIndex, forKey: .speakerIndex)
        try container.encode(alert, forKey: .alert)
    }

    static var jsonShape: JSONShape {
        .object([
            .init("id", UUID.self), .init("secondsElapsed", Int.self), .init("secondsRemaining", Int.self),
            .init("speakerIndex", Int.self), .init("alert", AlertState<RecordMeeting.Action.Alert>?.self),
        ])
    }
}
