public import CombineCore
public import Ricemill

/// A counter with a bindable input, whose store is its output.
public final class CounterViewModel: Machine<CounterViewModel> {
    /// The outputs are the properties of the store.
    public typealias Output = Store

    /// Two buttons and a switch.
    public final class Input: BindableInputType {
        /// Increments the count.
        public let increment = PassthroughSubject<Void, Never>()
        /// Decrements the count, but not below zero.
        public let decrement = PassthroughSubject<Void, Never>()
        /// Whether the buttons are enabled.
        @Published public var isOn = false

        /// Creates an input with the switch off.
        public init() {}
    }

    /// The values that the view shows.
    public final class Store: StoredOutputType {
        /// The count, never negative.
        @Published public var count = 0
        /// Whether the view enables its increment button. The machine accepts increments in any case.
        @Published public var isIncrementEnabled = false
        /// Whether the view enables its decrement button.
        @Published public var isDecrementEnabled = false
        /// The label of the switch.
        @Published public var toggleText = ""

        /// Creates a store with a count of zero.
        public init() {}
    }

    /// The dependencies of the machine. It has none.
    public struct Extra: ExtraType {
        /// Creates an empty value.
        public init() {}
    }

    /// Connects the inputs to the store.
    public static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        var cancellables: [AnyCancellable] = []

        let increment = input.increment
            .map { store.count + 1 }
        let decrement = input.decrement
            .map { max(store.count - 1, 0) }
        increment.merge(with: decrement)
            .assign(to: \.count, on: store)
            .store(in: &cancellables)

        input.$isOn
            .assign(to: \.isIncrementEnabled, on: store)
            .store(in: &cancellables)
        input.$isOn
            .combineLatest(store.$count)
            .map { isOn, count in isOn && count > 0 }
            .assign(to: \.isDecrementEnabled, on: store)
            .store(in: &cancellables)
        input.$isOn
            .map { $0 ? "Enabled" : "Disabled" }
            .assign(to: \.toggleText, on: store)
            .store(in: &cancellables)

        return Polished(cancellables: cancellables)
    }
}
