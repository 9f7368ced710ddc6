public import CombineCore
public import Ricemill

/// A counter whose store is its output: an input that can be bound to, and values to show.
public final class CounterViewModel: Machine<CounterViewModel> {
    /// The store is what a view sees.
    public typealias Output = Store

    /// Two buttons and a switch.
    public final class Input: BindableInputType {
        /// One more.
        public let increment = PassthroughSubject<Void, Never>()
        /// One less, but never less than none.
        public let decrement = PassthroughSubject<Void, Never>()
        /// Whether the buttons are offered.
        @Published public var isOn = false

        /// Switched off.
        public init() {}
    }

    /// What the view shows.
    public final class Store: StoredOutputType {
        /// The count, never negative.
        @Published public var count = 0
        /// Whether the view is to offer counting up. An increment that is sent nevertheless counts.
        @Published public var isIncrementEnabled = false
        /// Whether the view is to offer counting down.
        @Published public var isDecrementEnabled = false
        /// What the switch says.
        @Published public var toggleText = ""

        /// Nothing counted.
        public init() {}
    }

    /// Nothing is needed from outside.
    public struct Extra: ExtraType {
        /// Nothing.
        public init() {}
    }

    /// Wires the counter.
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
