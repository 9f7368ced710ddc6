import Combine
import Dispatch
import Ricemill

/// A counter that shows a fact about a number when the number has not changed for 300 ms.
public final class CounterViewModel: PrimitiveMachine<CounterViewModel>, ResolverType {
    public typealias Output = Store

    public struct Input: InputType {
        public let increment = PassthroughSubject<Void, Never>()
        public let decrement = PassthroughSubject<Void, Never>()

        public init() {}
    }

    public final class Store: StoredOutputType {
        @Published public fileprivate(set) var count = 0
        @Published public fileprivate(set) var fact = ""

        public init() {}
    }

    public struct Extra: ExtraType {
        let fact: (Int) -> AnyPublisher<String, Never>

        public init(fact: @escaping (Int) -> AnyPublisher<String, Never>) {
            self.fact = fact
        }
    }

    public static func polish(input: Publishing<Input>, store: Store, extra: Extra) -> Polished<Store> {
        let up = input.increment.map { store.count + 1 }
        let down = input.decrement.map { max(store.count - 1, 0) }
        let fact = store.$count.dropFirst()
            .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
            .map(extra.fact)
            .switchToLatest()
            .receive(on: DispatchQueue.main)
        return Polished(cancellables: [
            fact.assign(to: \.fact, on: store),
            up.merge(with: down).assign(to: \.count, on: store),
        ])
    }
}
