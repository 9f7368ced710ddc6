import Combine
import Ricemill

final class RicemillCounter: Machine<RicemillCounter> {
    typealias Output = Store

    struct Input: InputType {
        let increment = PassthroughSubject<Void, Never>()
        let decrement = PassthroughSubject<Void, Never>()
    }

    final class Store: StoredOutputType {
        @Published var count = 0
    }

    struct Extra: ExtraType {}

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        let up = input.increment.map { store.count + 1 }
        let down = input.decrement.map { max(store.count - 1, 0) }
        return Polished(cancellables: [up.merge(with: down).assign(to: \.count, on: store)])
    }
}
