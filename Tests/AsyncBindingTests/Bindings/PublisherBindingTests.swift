import AsyncBinding
import CombineCore
import Testing

@MainActor
@Suite struct PublisherBindingTests {
    private let label = Label()
    private let subject = PassthroughSubject<String?, Failure>()

    @Test func `every value of a burst is set, beginning with the binding`() async {
        let binding = label.asyncBinding.bind(\.text) <~ subject
        for text in ["a", "b", "c"] { subject.send(text) }
        #expect(label.texts == [])
        await label.receives(3)
        #expect(label.texts == ["a", "b", "c"])
        binding.dispose()
    }

    @Test func `the article's view model can be bound`() async {
        final class ViewModel {
            private let count = CurrentValueSubject<Int, Never>(0)
            func increment() { count.value += 1 }
            func decrement() { count.value -= 1 }
            var countPublisher: AnyPublisher<String?, Never> {
                count.map { $0.description }.eraseToAnyPublisher()
            }
        }
        let viewModel = ViewModel()
        let disposables = CompositeDisposable()
        disposables += label.asyncBinding.bind(\.text) <~ viewModel.countPublisher
        viewModel.increment()
        viewModel.increment()
        viewModel.decrement()
        await label.receives(4)
        #expect(label.texts == ["0", "1", "2", "1"])
    }

    @Test func `disposing cancels the publisher immediately`() {
        var isCancelled = false
        let binding = label.asyncBinding.bind(\.text) <~ Watched { isCancelled = true }
        #expect(!isCancelled)
        binding.dispose()
        #expect(isCancelled)
    }

    @Test func `after a publisher fails, the last value remains and the error is available`() async {
        let binding = label.asyncBinding.bind(\.text) <~ subject
        subject.send("a")
        subject.send(completion: .failure(Failure()))
        _ = await binding.end
        #expect(binding.failure as? Failure == Failure())
        #expect(label.text == "a")
    }

    @Test func `values bind to an optional property, and optional values to a non-optional one`() async {
        let promoted = label.asyncBinding.bind(\.text) <~ Just("a")
        _ = await promoted.end
        #expect(label.text == "a")
        let demoted = label.asyncBinding.bind(\.number) <~ Publishers.Sequence<[Int?], Never>(sequence: [1, nil])
        _ = await demoted.end
        #expect(label.number == 1)
    }
}

/// A publisher that sends nothing and records the cancellation of its subscription.
private struct Watched: Publisher {
    typealias Output = String?
    typealias Failure = Never

    let cancelled: () -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == String?, S.Failure == Never {
        subscriber.receive(subscription: Watch(cancelled))
    }

    private final class Watch: Subscription {
        private let cancelled: () -> Void
        init(_ cancelled: @escaping () -> Void) { self.cancelled = cancelled }
        func request(_ demand: Subscribers.Demand) {}
        func cancel() { cancelled() }
    }
}
