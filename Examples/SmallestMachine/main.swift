import Combine
import Granary
import Ricemill

final class Counter: Machine<Counter> {
    typealias Output = Store

    struct Input: InputType {
        let increment = PassthroughSubject<Void, Never>()
    }

    final class Store: StoredOutputType {
        @Published var count = 0
    }

    struct Extra: ExtraType {}

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        let count = input.increment.map { store.count + 1 }
        return Polished(cancellables: [count.assign(to: \.count, on: store)])
    }
}

await serve { _ in
    [try .ricemill("counter", summary: "Counts.") { _ in Counter(input: .init(), store: .init(), extra: .init()) }]
}
