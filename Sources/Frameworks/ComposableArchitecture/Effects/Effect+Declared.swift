package import CombineCore
import Locking

extension Effect {
    /// Creates an effect that the host stores, and continues in a restored store.
    ///
    /// - Parameter make: Returns a publisher of the values, given the names of the effect's cancellation ids.
    package static func declared<Source: Publisher>(_ make: @escaping (_ names: [String]) -> Source) -> Effect
    where Source.Output == Output, Source.Failure == Failure {
        .attached { downstream, scope in
            let ids = CancellationIDs.current
            let number = scope.table.withLock { $0.addDeclared(ids) }
            let forget = { scope.table.withLock { $0.removeDeclared(number) } }
            make(ids.compactMap(\.name))
                .handleEvents(receiveCompletion: { _ in forget() }, receiveCancel: forget)
                .receive(subscriber: downstream)
        }
    }
}
