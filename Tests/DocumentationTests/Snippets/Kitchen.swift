import Combine
import Granary
import Ricemill
import RicemillAdapter

struct Order: Codable {
    let table: Int
    let dish: String
}

/// Each waiter and each cook has a session; all of them see all orders.
final class Kitchen: Machine<Kitchen> {
    typealias Output = Store

    struct Input: InputType {
        let order = PassthroughSubject<Order, Never>()
        let signIn = PassthroughSubject<String, Never>()
    }

    final class Store: StoredOutputType {
        @Published var orders: [Order] = []
        @Published var staff: [String] = []
    }

    struct Extra: ExtraType {
        let orders: Topic<Order>
        let staff: Presence<String>
    }

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        Polished(cancellables: [
            input.order.sink { extra.orders.send($0) },
            extra.orders.map { store.orders + [$0] }.assign(to: \.orders, on: store),
            input.signIn.sink { extra.staff.enter($0) },
            extra.staff.map(\.members).assign(to: \.staff, on: store),
        ])
    }
}

func kitchen() throws -> MachineDefinition {
    try .ricemill("kitchen", summary: "Shows the orders of all tables.") { context in
        Kitchen(
            input: .init(), store: .init(),
            extra: .init(orders: context.topic("orders"), staff: context.presence(in: "orders")))
    }
}
