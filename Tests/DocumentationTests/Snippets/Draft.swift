import Combine
import Granary
import Ricemill
import RicemillAdapter

final class WordCache {
    var words: Set<String> = []
}

final class Draft: Machine<Draft> {
    typealias Output = Store

    struct Input: InputType {
        let write = PassthroughSubject<String, Never>()
        let save = PassthroughSubject<Void, Never>()
    }

    final class Store: StoredOutputType {
        @Published var text = ""
        @Published var isSaving = false
        private let cache = WordCache()
    }

    struct Extra: ExtraType {
        let save: (String) -> AnyPublisher<Void, Never>
    }

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        let saved = input.save
            .handleEvents(receiveOutput: { store.isSaving = true })
            .flatMap { extra.save(store.text) }
        return Polished(cancellables: [
            input.write.assign(to: \.text, on: store),
            saved.map { false }.assign(to: \.isSaving, on: store),
        ])
    }
}

extension Draft.Store: Resumable {
    static var version: Int { 2 }

    static var migrations: [Int: StateMigration] {
        [1: { state in state.move("store.body", to: "store.text") }]
    }

    func resumed(_ interrupted: [InterruptedWork]) {
        isSaving = false
    }
}

func draft(save: @escaping @Sendable (String) -> AnyPublisher<Void, Never>) throws -> MachineDefinition {
    try .ricemill("draft", summary: "A text that is saved on request.", transient: ["cache"]) { _ in
        Draft(input: .init(), store: .init(), extra: .init(save: save))
    }
}
