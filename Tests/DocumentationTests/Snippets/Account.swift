import Combine
import Granary
import Ricemill
import RicemillAdapter

final class Account: Machine<Account> {
    typealias Output = Store

    struct Input: InputType {
        let rename = PassthroughSubject<String, Never>()
    }

    final class Store: StoredOutputType {
        @Published var name = "nobody"
        @Published private var token = "secret"
        let failed = PassthroughSubject<String, Never>()
        var initial: String? { name.first.map(String.init) }
    }

    struct Extra: ExtraType {}

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        Polished(cancellables: [input.rename.assign(to: \.name, on: store)])
    }
}

func account() throws -> MachineDefinition {
    try .ricemill(
        "account", summary: "Has a name.",
        outputs: [.value("name", \.$name), .value("initial", \.initial), .event("failed", \.failed)]
    ) { _ in
        Account(input: .init(), store: .init(), extra: .init())
    }
}
