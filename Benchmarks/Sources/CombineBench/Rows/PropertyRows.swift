import CombineCore
import Ricemill

final class Model: ObservableObject {
    @Published var count = 0
}

/// Published properties, and a machine that consists of them.
let propertyRows = [
    Row("@Published set, one sink") { rounds in
        let tally = Tally()
        let model = Model()
        let token = model.$count.sink { tally.add($0) }
        for value in 0..<rounds { model.count = value }
        token.cancel()
        return tally.finish()
    },
    Row("@Published set, no subscriber") { rounds in
        let model = Model()
        for value in 0..<rounds { model.count = value }
        return model.count
    },
    Row("@Published set, objectWillChange sink") { rounds in
        let tally = Tally()
        let model = Model()
        let token = model.objectWillChange.sink { tally.add(1) }
        for value in 0..<rounds { model.count = value }
        token.cancel()
        return tally.finish()
    },
    Row("counter machine, one increment") { rounds in
        let tally = Tally()
        let machine = CounterMachine(input: .init(), store: .init(), extra: .init())
        let tokens = [
            machine.output.$count.sink { tally.add($0) },
            machine.output.$isDecrementEnabled.sink { tally.add($0 ? 1 : 0) },
        ]
        for _ in 0..<rounds { machine.input.increment.send() }
        for token in tokens { token.cancel() }
        return tally.finish()
    },
]

/// The counter of Ricemill's README: two buttons, a switch, and a store as the output.
final class CounterMachine: Machine<CounterMachine> {
    typealias Output = Store

    final class Input: BindableInputType {
        let increment = PassthroughSubject<Void, Never>()
        let decrement = PassthroughSubject<Void, Never>()
        @Published var isOn = true
    }

    final class Store: StoredOutputType {
        @Published var count = 0
        @Published var isIncrementEnabled = false
        @Published var isDecrementEnabled = false
        @Published var toggleText = ""
    }

    struct Extra: ExtraType {}

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        var tokens: [AnyCancellable] = []
        input.increment.map { store.count + 1 }
            .merge(with: input.decrement.map { max(store.count - 1, 0) })
            .assign(to: \.count, on: store)
            .store(in: &tokens)
        input.$isOn
            .assign(to: \.isIncrementEnabled, on: store)
            .store(in: &tokens)
        input.$isOn.combineLatest(store.$count)
            .map { isOn, count in isOn && count > 0 }
            .assign(to: \.isDecrementEnabled, on: store)
            .store(in: &tokens)
        input.$isOn.map { $0 ? "Enabled" : "Disabled" }
            .assign(to: \.toggleText, on: store)
            .store(in: &tokens)
        return Polished(cancellables: tokens)
    }
}
