import CombineCore
import Ricemill

/// A machine whose output is a class with a publisher and a `@Published` property, and not its store.
final class MixedMachine: Machine<MixedMachine> {
    struct Input: InputType {
        let rename = PassthroughSubject<String, Never>()
    }

    final class Output: OutputType {
        let length: AnyPublisher<Int, Never>
        @Published var isIncrementEnabled: Bool

        init(length: AnyPublisher<Int, Never>, isIncrementEnabled: Bool) {
            self.length = length
            self.isIncrementEnabled = isIncrementEnabled
        }
    }

    final class Store: StoreType {
        @Published var name = ""
    }

    struct Extra: ExtraType {
        /// Sends a value during the wiring.
        var names: AnyPublisher<String, Never>
    }

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Output> {
        var cancellables: [AnyCancellable] = []
        extra.names.merge(with: input.rename)
            .assign(to: \.name, on: store)
            .store(in: &cancellables)
        let output = Output(length: store.$name.map(\.count).eraseToAnyPublisher(), isIncrementEnabled: false)
        store.$name
            .map { !$0.isEmpty }
            .assign(to: \.isIncrementEnabled, on: output)
            .store(in: &cancellables)
        return Polished(output: output, cancellables: cancellables)
    }
}
