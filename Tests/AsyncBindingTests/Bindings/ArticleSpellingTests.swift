import AsyncBinding
import CombineCore
import Testing

/// The article's example without the surrounding view controller.
@MainActor
@Suite struct ArticleSpellingTests {
    private final class ViewModel {
        private let count = CurrentValueSubject<Int, Never>(0)

        func increment() {
            count.value += 1
        }

        func decrement() {
            count.value -= 1
        }

        var countPublisher: AnyPublisher<String?, Never> {
            count.map { $0.description }.eraseToAnyPublisher()
        }
    }

    private let label = Label()
    private let viewModel = ViewModel()
    private let disposables = CompositeDisposable()

    @Test func `a label shows the values of a publisher`() async {
        disposables += label.asyncBinding.bind(\.text) <~ viewModel.countPublisher.values
        await label.receives(1)
        viewModel.increment()
        await label.receives(2)
        viewModel.decrement()
        await label.receives(3)
        #expect(label.texts == ["0", "1", "0"])
    }

    @Test func `values may skip elements of a burst, but the last one is shown`() async {
        disposables += label.asyncBinding.bind(\.text) <~ viewModel.countPublisher.values
        for _ in 0..<5 { viewModel.increment() }
        while label.text != "5" { await label.receives(label.texts.count + 1) }
        #expect(label.texts.count <= 6)
    }
}
