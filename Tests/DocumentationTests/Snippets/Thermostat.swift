import Combine
import Granary
import Ricemill
import RicemillAdapter

final class Thermostat: Machine<Thermostat> {
    typealias Output = Store

    struct Input: InputType {
        let raise = PassthroughSubject<Void, Never>()
        let lower = PassthroughSubject<Void, Never>()
        let setTarget = PassthroughSubject<Int, Never>()
        let setNote = PassthroughSubject<String?, Never>()
    }

    final class Store: StoredOutputType {
        @Published var target = 20
        @Published var isHeating = false
        @Published var note: String?
        let warning = PassthroughSubject<String, Never>()
    }

    struct Extra: ExtraType {}

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        let steps = input.raise.map { 1 }.merge(with: input.lower.map { -1 }).map { store.target + $0 }
        let wanted = steps.merge(with: input.setTarget)
        return Polished(cancellables: [
            wanted.sink { degrees in
                store.target = min(max(degrees, 5), 30)
                store.isHeating = store.target > 20
                if degrees > 30 { store.warning.send("The highest target is 30 degrees.") }
            },
            input.setNote.assign(to: \.note, on: store),
        ])
    }
}

func thermostat() throws -> MachineDefinition {
    try .ricemill("thermostat", summary: "Keeps a room at a temperature.") { _ in
        Thermostat(input: .init(), store: .init(), extra: .init())
    }
}
