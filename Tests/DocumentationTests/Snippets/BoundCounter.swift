import AsyncBinding
import Combine

@MainActor
final class CounterLabel: AsyncBindingExtensionsProvider {
    var text = ""
    let disposables = CompositeDisposable()

    init(showing counts: some Publisher<Int, Never>) {
        disposables += asyncBinding.bind(\.text) <~ counts.map { "\($0)" }
    }
}
