import ComposableMacros

/// A feature with an effect that never ends, to show when it is cancelled.
@Reducer
struct Ticker {
    struct State: Equatable {
        var isOn = false
    }

    enum Action: Equatable {
        case start
        case close
    }

    @Dependency(\.dismiss) var dismiss

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .start:
                state.isOn = true
                return .run { _ in
                    let (stream, continuation) = AsyncStream<Never>.makeStream()
                    for await _ in stream {}
                    continuation.finish()
                }
            case .close: return .run { _ in await dismiss() }
            }
        }
    }
}

@Reducer
struct Navigation {
    struct State: Equatable {
        let id: Int
        @Presents var destination: Destination.State?
        @Presents var extra: Counter.State?
        var path = StackState<Path.State>()
    }

    enum Action {
        case destination(PresentationAction<Destination.Action>)
        case extra(PresentationAction<Counter.Action>)
        case path(StackActionOf<Path>)
        case showCounter
        case showTicker
        case showAlert
    }

    @Reducer
    enum Destination {
        case counter(Counter)
        case ticker(Ticker)
        case alert(AlertState<Alert>)
        @ReducerCaseIgnored case link(String)
        case nothing

        @CasePathable
        enum Alert: Equatable {
            case confirm
        }
    }

    @Reducer(state: .equatable, action: .equatable)
    enum Path {
        case counter(Counter)
        case ticker(Ticker)
    }

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .showCounter: state.destination = .counter(Counter.State(id: 1))
            case .showTicker: state.destination = .ticker(Ticker.State())
            case .showAlert: state.destination = .alert(AlertState(title: "Really?"))
            case .destination, .extra, .path: break
            }
            return .none
        }
        .ifLet(\.$destination, action: \.destination)
        .ifLet(\.$extra, action: \.extra) { Counter() }
        .forEach(\.path, action: \.path)
    }
}

extension Navigation.Destination.State: Equatable {}
