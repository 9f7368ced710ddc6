public import CombineCore
public import Ricemill

/// The same counter for a view that subscribes: a structure of subjects in, a structure of publishers out, the store
/// behind them unseen.
public final class CounterPublishersViewModel: Machine<CounterPublishersViewModel.Resolver> {
    /// Two buttons and a switch.
    public struct Input: InputType {
        /// One more.
        public let increment = PassthroughSubject<Void, Never>()
        /// One less, but never less than none.
        public let decrement = PassthroughSubject<Void, Never>()
        /// Whether the buttons are offered.
        public let isOn = PassthroughSubject<Bool, Never>()

        /// New subjects.
        public init() {}
    }

    /// What the view shows.
    public struct Output: OutputType {
        /// The count as text.
        public let count: AnyPublisher<String?, Never>
        /// Whether the view is to offer counting up. An increment that is sent nevertheless counts.
        public let isIncrementEnabled: AnyPublisher<Bool, Never>
        /// Whether the view is to offer counting down.
        public let isDecrementEnabled: AnyPublisher<Bool, Never>
        /// What the switch says.
        public let toggleText: AnyPublisher<String?, Never>
    }

    /// What the counter remembers.
    public final class Store: StoreType {
        @Published fileprivate var count = 0
        @Published fileprivate var isToggleEnabled = false

        /// Nothing counted, switched off.
        public init() {}
    }

    /// Nothing is needed from outside.
    public struct Extra: ExtraType {
        /// Nothing.
        public init() {}
    }

    /// Wires the counter.
    public enum Resolver: ResolverType {
        /// Makes the publishers.
        public static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Output> {
            var cancellables: [AnyCancellable] = []

            let increment = input.increment
                .map { store.count + 1 }
            let decrement = input.decrement
                .map { max(store.count - 1, 0) }
            increment.merge(with: decrement)
                .assign(to: \.count, on: store)
                .store(in: &cancellables)
            input.isOn
                .assign(to: \.isToggleEnabled, on: store)
                .store(in: &cancellables)

            let output = Output(
                count: store.$count
                    .map { String($0) }
                    .eraseToAnyPublisher(),
                isIncrementEnabled: store.$isToggleEnabled
                    .eraseToAnyPublisher(),
                isDecrementEnabled: store.$isToggleEnabled
                    .combineLatest(store.$count)
                    .map { isOn, count in isOn && count > 0 }
                    .eraseToAnyPublisher(),
                toggleText: store.$isToggleEnabled
                    .map { $0 ? "Enabled" : "Disabled" }
                    .eraseToAnyPublisher())
            return Polished(output: output, cancellables: cancellables)
        }
    }
}
