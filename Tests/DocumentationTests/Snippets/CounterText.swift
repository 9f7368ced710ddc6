import ComposableMacros

@MainActor
func showCount(of store: StoreOf<FactCounter>, in label: CounterText) -> ObserveToken {
    observe { label.text = "\(store.count)" }
}

@MainActor
final class CounterText {
    var text = ""
}
