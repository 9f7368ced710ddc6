import Combine
import Granary
import Ricemill
import RicemillAdapter

/// A game for two: the owner of the session chooses a number, and a guest guesses it.
final class Guessing: Machine<Guessing> {
    typealias Output = Store

    struct Input: InputType {
        let choose = PassthroughSubject<Int, Never>()
        let guess = PassthroughSubject<Int, Never>()
    }

    final class Store: StoredOutputType {
        @Published var number: Int?
        @Published var guesses: [Int] = []
        @Published var hint: String?
    }

    struct Extra: ExtraType {
        let isFromGuest: () -> Bool
        let refuse: (String) -> Void
    }

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        Polished(cancellables: [
            input.choose.sink { number in
                guard !extra.isFromGuest() else { return extra.refuse("only the owner chooses the number") }
                (store.number, store.guesses, store.hint) = (number, [], nil)
            },
            input.guess.sink { guess in
                guard extra.isFromGuest() else { return extra.refuse("you know the number") }
                guard let number = store.number else { return extra.refuse("no number has been chosen yet") }
                store.guesses.append(guess)
                store.hint = guess == number ? "correct" : guess < number ? "higher" : "lower"
            },
        ])
    }
}

func guessing() throws -> MachineDefinition {
    try .ricemill("guessing", summary: "One player chooses a number, and the other guesses it.") { context in
        Guessing(
            input: .init(), store: .init(),
            extra: .init(isFromGuest: { context.sender?.label != nil }, refuse: context.refuse))
    }
    .views(["owner": .all, "guest": ["guesses", "hint"]]) { viewer in
        viewer.isOwner ? "owner" : "guest"
    }
}
