import ComposableMacros

@Reducer
struct Line {
    @ObservableState
    struct State: Equatable, Identifiable, Codable {
        let id: Int
        var text = ""
        var isDone = false
    }

    enum Action: Equatable {
        case rename(String)
        case toggle
    }

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .rename(let text): state.text = text
            case .toggle: state.isDone.toggle()
            }
            return .none
        }
    }
}

@Reducer
struct Page {
    @ObservableState
    struct State: Equatable {
        var title = ""
        var first = Line.State(id: 0)
        var lines: IdentifiedArrayOf<Line.State> = []
        @Presents var sheet: Sheet.State?
        @ObservationStateIgnored var ignored = 0
        var length: Int { title.count }
        var log: [String] = [] {
            didSet { ignored += 1 }
        }
    }

    enum Action {
        case title(String)
        case first(Line.Action)
        case lines(IdentifiedActionOf<Line>)
        case sheet(PresentationAction<Sheet.Action>)
        case ignored
        case log(String)
        case open
        case replaceFirst
        case swap
        case reset
    }

    @Reducer
    enum Sheet {
        case line(Line)
        case alert(AlertState<Alert>)

        @CasePathable
        enum Alert: Equatable {
            case confirm
        }
    }

    var body: some ReducerOf<Self> {
        Scope(state: \.first, action: \.first) { Line() }
        Reduce { state, action in
            switch action {
            case .title(let title): state.title = title
            case .ignored: state.ignored += 1
            case .log(let text): state.log.append(text)
            case .open: state.sheet = .line(Line.State(id: 5))
            case .replaceFirst: state.first = Line.State(id: 0, text: "other")
            case .swap: state.lines.swapAt(0, 1)
            case .reset: state = State()
            case .first, .lines, .sheet: break
            }
            return .none
        }
        .forEach(\.lines, action: \.lines) { Line() }
        .ifLet(\.$sheet, action: \.sheet)
    }
}

extension Page.Sheet.State: Equatable {}
