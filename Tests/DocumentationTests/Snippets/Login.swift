import Combine
import Granary
import Ricemill
import RicemillAdapter

final class Login: Machine<Login> {
    typealias Output = Store

    struct Input: InputType {
        let password = PassthroughSubject<String, Never>()
    }

    final class Store: StoredOutputType {
        @Published var isSignedIn = false
        var token = ""
    }

    struct Extra: ExtraType {
        let signIn: (String) -> AnyPublisher<String, Never>
    }

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        let tokens = input.password.flatMap { extra.signIn($0) }.share()
        return Polished(cancellables: [
            tokens.assign(to: \.token, on: store),
            tokens.map { !$0.isEmpty }.assign(to: \.isSignedIn, on: store),
        ])
    }
}

func login(signIn: @escaping @Sendable (String) -> AnyPublisher<String, Never>) throws -> MachineDefinition {
    try .ricemill("login", summary: "Signs in.", outputs: [.value("isSignedIn", \.$isSignedIn)]) { _ in
        Login(input: .init(), store: .init(), extra: .init(signIn: signIn))
    }
    .secret("password", "token")
}
