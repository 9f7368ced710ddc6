public import CombineCore
public import Ricemill

/// The same counter with subjects as inputs and publishers as outputs. Its store is not visible to clients.
public final class CounterPublishersViewModel: Machine<CounterPublishersViewModel.Resolver> {
    /// Two buttons and a switch.
    public struct Input: InputType {
        /// Increments the count.
        public let increment = PassthroughSubject<Void, Never>()
        /// Decrements the count, but not below zero.
        public let decrement = PassthroughSubject<Void, Never>()
        /// Whether the buttons are enabled.
        public let isOn = PassthroughSubject<Bool, Never>()

        /// Creates the subjects.
        public init() {}
    }

    /// The values that the view shows.
    public struct Output: OutputType {
        /// The count as text.
        public let count: AnyPublisher<String?, Never>
        /// Whether the view enables its increment button. The machine accepts increments in any case.
        public let isIncrementEnabled: AnyPublisher<Bool, Never>
        /// Whether the view enables its decrement button.
        public let isDecrementEnabled: AnyPublisher<Bool, Never>
        /// The label of the switch.
        public let toggleText: AnyPublisher<String?, Never>
    }

    /// The state of the counter.
    public final class Store: StoreType {
        @Published fileprivate var count = 0
        @Published fileprivate var isToggleEnabled = false

        /// Creates a store with a count of zero and the switch off.
        public init() {}
    }

    /// The dependencies of the machine. It has none.
    public struct Extra: ExtraType {
        /// Creates an empty value.
        public init() {}
    }

    /// Connects the inputs to the store and the outputs.
    public enum Resolver: ResolverType {
        /// Creates the publishers of the outputs.
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
