import CombineCore
import Ricemill

/// A machine whose store has more properties than clients may see.
final class Vault: Machine<Vault> {
    typealias Output = Store

    struct Input: InputType {
        let open = PassthroughSubject<String, Never>()
        let fail = PassthroughSubject<Void, Never>()
        let leave = PassthroughSubject<Void, Never>()
    }

    final class Guest {
        var name = "nobody"
    }

    final class Store: StoredOutputType {
        @Published var count = 0
        @Published fileprivate var token = "t0k3n"
        @Published var error: String?
        private var cache = ["c4che"]
        var visits = 0
        var guest: Guest?
        let failed = PassthroughSubject<String, Never>()
        var greeting: String { "\(guest?.name ?? "nobody"), \(visits)" }

        func open(_ name: String) {
            cache.append(name)
            visits += 1
            token += "!"
            if guest == nil { guest = Guest() }
            guest?.name = name
        }
    }

    final class Extra: ExtraType {
        /// The store of the most recently created machine.
        var store: Store?
    }

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        extra.store = store
        return Polished(cancellables: [
            input.open.sink { store.open($0) },
            input.fail.sink {
                store.failed.send("f")
                store.error = "e"
            },
            input.leave.sink { store.guest = nil },
        ])
    }
}

/// A machine with a separate output type that has a plain property.
final class Plain: Machine<Plain> {
    struct Input: InputType {}
    final class Store: StoreType {}

    final class Output: OutputType {
        var plain = "p"
    }

    struct Extra: ExtraType {
        let output: Output
    }

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Output> {
        Polished(output: extra.output, cancellables: [])
    }
}

/// A machine whose ports have types that the initializer chooses.
final class Shifting: Machine<Shifting> {
    struct Input: InputType {
        let port: any Subject<Int, Never>
    }

    final class Store: StoreType {}

    struct Output: OutputType {
        let shown: any Publisher<Int, Never>
    }

    struct Extra: ExtraType {
        let shown: any Publisher<Int, Never>
    }

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Output> {
        Polished(output: Output(shown: extra.shown), cancellables: [])
    }
}
