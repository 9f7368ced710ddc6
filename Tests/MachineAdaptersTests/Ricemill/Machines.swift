import CombineCore
import Ricemill

/// A machine with an input and an output of every kind.
final class KitchenMachine: Machine<KitchenMachine> {
    typealias Output = Store

    final class Input: BindableInputType {
        let increment = PassthroughSubject<Void, Never>()
        let add = CurrentValueSubject<Int, Never>(0)
        let shout = PassthroughSubject<String, Never>()
        let fail = PassthroughSubject<Void, Never>()
        @Published var isOn = false
    }

    final class Store: StoredOutputType {
        @Published var count = 0
        @Published var error: String?
        @Published private var secret = Opaque()
        let level = CurrentValueSubject<Double, Never>(0.5)
        let said = PassthroughSubject<String, Never>()
        let rang = PassthroughSubject<Void, Never>()
        let broken: AnyPublisher<Int, Failure>
        let breaker = PassthroughSubject<Int, Failure>()
        var closure: () -> Void = {}

        init() {
            broken = breaker.eraseToAnyPublisher()
        }
    }

    struct Opaque {}
    struct Failure: Error {}
    struct Extra: ExtraType {}

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        var cancellables: [AnyCancellable] = []
        input.increment.sink {
            store.count += 1
            store.count += 1
            store.rang.send()
        }.store(in: &cancellables)
        input.add.dropFirst().sink { store.count += $0 }.store(in: &cancellables)
        input.shout.sink { text in
            store.said.send(text)
            store.error = text
        }.store(in: &cancellables)
        input.$isOn.dropFirst().sink { store.level.send($0 ? 1 : 0) }.store(in: &cancellables)
        input.fail.sink {
            store.breaker.send(7)
            store.breaker.send(completion: .failure(Failure()))
        }.store(in: &cancellables)
        return Polished(cancellables: cancellables)
    }
}

/// A machine with an input type that cannot be decoded.
final class UnreadableMachine: Machine<UnreadableMachine> {
    struct Input: InputType {
        let show = PassthroughSubject<KitchenMachine.Opaque, Never>()
    }

    final class Store: StoredOutputType {}
    typealias Output = Store
    struct Extra: ExtraType {}

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        Polished(cancellables: [])
    }
}

/// A machine without a `polish`.
final class UnpolishedMachine: Machine<UnpolishedMachine> {
    struct Input: InputType {}
    final class Store: StoredOutputType {}
    typealias Output = Store
    struct Extra: ExtraType {}
}
