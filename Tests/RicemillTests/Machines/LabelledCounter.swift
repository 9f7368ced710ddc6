import CombineCore
import Ricemill

/// The slides' counter for UIKit: a nested resolver, a structure of subjects, a structure of publishers.
final class LabelledCounter: Machine<LabelledCounter.Resolver> {
    struct Input: InputType {
        let increment = PassthroughSubject<Void, Never>()
        let decrement = PassthroughSubject<Void, Never>()
        let isOn = PassthroughSubject<Bool, Never>()
    }

    struct Output: OutputType {
        let count: AnyPublisher<String?, Never>
        let isIncrementEnabled: AnyPublisher<Bool, Never>
        let isDecrementEnabled: AnyPublisher<Bool, Never>
    }

    final class Store: StoreType {
        @Published var count: Int = 0
        @Published var isToggleEnabled = false
    }

    struct Extra: ExtraType {}

    enum Resolver: ResolverType {
        static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Output> {
            var cancellables: [AnyCancellable] = []

            let increment = input.increment
                .flatMap { _ in Just(store.count) }
                .map { $0 + 1 }
            let decrement = input.decrement
                .flatMap { _ in Just(store.count) }
                .map { $0 > 0 ? $0 - 1 : $0 }
            increment.merge(with: decrement)
                .assign(to: \.count, on: store)
                .store(in: &cancellables)
            input.isOn
                .assign(to: \.isToggleEnabled, on: store)
                .store(in: &cancellables)

            let count = store.$count
                .map(String.init)
                .map(Optional.some)
                .eraseToAnyPublisher()
            let incrementEnabled = store.$isToggleEnabled.eraseToAnyPublisher()
            let isDecrementEnabled = store.$isToggleEnabled
                .combineLatest(store.$count)
                .map { $0 && $1 > 0 }
                .eraseToAnyPublisher()

            return Polished(
                output: Output(
                    count: count, isIncrementEnabled: incrementEnabled, isDecrementEnabled: isDecrementEnabled),
                cancellables: cancellables)
        }
    }
}
