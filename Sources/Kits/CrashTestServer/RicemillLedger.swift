import CombineCore
import Dispatch
import Ricemill

/// A ledger with a text that is searched for when its user has stopped typing.
final class RicemillLedger: Machine<RicemillLedger> {
    final class Input: BindableInputType {
        @Published var text = ""
        let note = PassthroughSubject<String, Never>()
    }

    typealias Output = Store

    final class Store: StoredOutputType {
        @Published var marks: [String] = []
        @Published var count = 0
        @Published var searches: [String] = []
    }

    struct Extra: ExtraType {}

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        Polished(cancellables: [
            input.note.sink { mark in
                Trap.spring(by: mark)
                store.marks.append(mark)
                store.count += 1
            },
            input.$text.filter { !$0.isEmpty }
                .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
                .sink { store.searches.append($0) },
        ])
    }
}
