import Combine
import Dispatch
import Granary
import Ricemill
import RicemillAdapter

final class CitySearch: Machine<CitySearch> {
    typealias Output = Store

    final class Input: BindableInputType {
        @Published var text = ""
    }

    final class Store: StoredOutputType {
        @Published var cities: [String] = []
        @Published var isLoading = false
    }

    struct Extra: ExtraType {
        let find: (String) -> AnyPublisher<[String], Never>
    }

    static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        let texts = input.$text.dropFirst()
            .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
            .removeDuplicates()
            .handleEvents(receiveOutput: { _ in store.isLoading = true })
        let cities = texts.map(extra.find).switchToLatest()
            .handleEvents(receiveOutput: { _ in store.isLoading = false })
        return Polished(cancellables: [cities.assign(to: \.cities, on: store)])
    }
}

func citySearch(find: @escaping @Sendable (String) -> AnyPublisher<[String], Never>) throws -> MachineDefinition {
    try .ricemill("cities", summary: "Finds cities by their names.") { context in
        CitySearch(input: .init(), store: .init(), extra: .init(find: context.effect("find", find)))
    }
}
