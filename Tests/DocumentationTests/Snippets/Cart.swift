import Combine
import Granary
import Ricemill
import RicemillAdapter

struct CartParameters: Decodable, Sendable {
    let country: String
    var capacity: Int?
}

final class Cart: Machine<Cart> {
    typealias Output = Store

    struct Input: InputType {
        let add = PassthroughSubject<String, Never>()
    }

    final class Store: StoredOutputType {
        @Published var country = ""
        @Published var items: [String] = []
    }

    struct Extra: ExtraType {
        let capacity: Int
    }

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        Polished(cancellables: [
            input.add.sink { item in
                if store.items.count < extra.capacity { store.items.append(item) }
            }
        ])
    }
}

func cart() throws -> MachineDefinition {
    try .ricemill("cart", summary: "Collects items.", parameters: CartParameters.self) { _, parameters in
        let store = Cart.Store()
        store.country = parameters.country
        return Cart(input: .init(), store: store, extra: .init(capacity: parameters.capacity ?? 100))
    }
}
