import CombineCore
import Ricemill

/// A counter in the README's SwiftUI form: the input is bindable, and the store is the output.
final class SwitchedCounter: Machine<SwitchedCounter> {
    typealias Output = Store

    final class Input: BindableInputType {
        let increment = PassthroughSubject<Void, Never>()
        let decrement = PassthroughSubject<Void, Never>()
        @Published var isOn = false
    }

    final class Store: StoredOutputType {
        @Published var count: Int = 0
        @Published var isIncrementEnabled = false
        @Published var isDecrementEnabled = false
        let last = CurrentValueSubject<String, Never>("none")
        let beep = PassthroughSubject<Int, Never>()
    }

    struct Extra: ExtraType {
        var polished: () -> Void = {}
    }

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        extra.polished()
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

        input.$isOn
            .assign(to: \.isIncrementEnabled, on: store)
            .store(in: &cancellables)

        input.$isOn
            .combineLatest(store.$count)
            .map { $0 && $1 > 0 }
            .assign(to: \.isDecrementEnabled, on: store)
            .store(in: &cancellables)

        input.increment
            .sink { _ in
                store.last.send(input.isOn ? "up" : "up while off")
                store.beep.send(store.count)
            }
            .store(in: &cancellables)

        return Polished(cancellables: cancellables)
    }
}
