import CombineSchedulers
import ComposableAdapter
import ComposableArchitecture
import Dispatch
import MachineHost

struct KitchenItem: Equatable, Codable, Identifiable, Sendable {
    var id: Int
    var isDone = false
    var note: String?
}

enum KitchenItemAction: Equatable { case toggled, noted(String?), moved(to: Int, fast: Bool) }

enum KitchenMood: String, Codable { case calm, wild }

struct KitchenState: Equatable, Encodable {
    var count = 0
    var items: IdentifiedArrayOf<KitchenItem> = [KitchenItem(id: 1), KitchenItem(id: 2)]
    var mood = KitchenMood.calm
    var fact: String?
    var alert: AlertState<KitchenAction>?
    var optional: KitchenItem?
    var secret = "s"
}

enum KitchenAction: Equatable {
    case increment
    case add(Int)
    case mood(KitchenMood)
    case place(x: Int, label: String?)
    case pair(Int, Bool)
    case item(id: Int, action: KitchenItemAction)
    case optional(KitchenItemAction)
    case ask
    case askTwice
    case answered(String)
    case factResponse(Result<String, Never>)
    case askAlert
    case alertDismissed
}

struct KitchenEnvironment {
    var mainQueue: AnySchedulerOf<DispatchQueue>
}

private let itemReducer = Reducer<KitchenItem, KitchenItemAction, Void> { state, action, _ in
    switch action {
    case .toggled: state.isDone.toggle()
    case .noted(let note): state.note = note
    case .moved(let place, let isFast): state.note = "\(place) \(isFast)"
    }
    return .none
}

let kitchenReducer = Reducer<KitchenState, KitchenAction, KitchenEnvironment>.combine(
    itemReducer.forEach(state: \.items, action: /KitchenAction.item, environment: { _ in () }),
    itemReducer.optional().pullback(
        state: \.optional, action: /KitchenAction.optional, environment: { _ in () }),
    Reducer { state, action, environment in
        switch action {
        case .increment: state.count += 1
        case .add(let number): state.count += number
        case .mood(let mood): state.mood = mood
        case .place(let x, let label): state.fact = "\(x) \(label ?? "nil")"
        case .pair(let number, let flag): state.fact = "\(number) \(flag)"
        case .ask:
            return Effect(value: .answered("later")).delay(for: 1, scheduler: environment.mainQueue).eraseToEffect()
                .cancellable(id: "ask")
        case .askTwice:
            return .run { send in
                await send(.answered("one"))
                await send(.answered("two"))
            }
        case .answered(let fact): state.fact = fact
        case .askAlert:
            state.alert = AlertState(title: "Sure?", dismissButton: .cancel("No", send: .item(id: 1, action: .toggled)))
        case .alertDismissed: state.alert = nil
        case .item, .optional, .factResponse: break
        }
        return .none
    })

func kitchen() throws(MachineRegistrationError) -> MachineDefinition {
    try .composable("kitchen", summary: "Everything.", excluding: ["answered"], hidden: ["secret"]) { context in
        Store(
            initialState: KitchenState(), reducer: kitchenReducer,
            environment: KitchenEnvironment(mainQueue: context.scheduler.eraseToAnyScheduler()))
    }
}
