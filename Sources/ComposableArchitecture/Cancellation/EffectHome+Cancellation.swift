import CombineCore
import Locking

extension EffectHome {
    /// Subscribes to `publisher` in such a way that the id ends it.
    func attach<Output, Failure: Error>(
        _ downstream: AnySubscriber<Output, Failure>, to publisher: Effect<Output, Failure>, id: AnyHashable,
        cancelInFlight: Bool
    ) {
        if cancelInFlight { cancel(id: id) }
        let number = tables.withLock { $0.nextNumber() }
        let link = CancellableLink(downstream) { [weak self] in self?.forget(id: id, number: number) }
        let token = AnyCancellable { link.finish() }
        tables.withLock { $0.add(token, id: id, number: number) }
        downstream.receive(subscription: link)
        run { publisher.receive(subscriber: link) }
    }

    /// Ends everything that has the id.
    func cancel(id: AnyHashable) {
        for token in tables.withLock({ $0.take(id: id) }) { token.cancel() }
    }

    /// Ends everything whose id satisfies `predicate`.
    func cancel(where predicate: (AnyHashable) -> Bool) {
        for token in tables.withLock({ $0.take(where: predicate) }) { token.cancel() }
    }

    /// Keeps `token` under the id until the returned number is forgotten.
    func keep(_ token: AnyCancellable, id: AnyHashable) -> Int {
        tables.withLock { tables in
            let number = tables.nextNumber()
            tables.add(token, id: id, number: number)
            return number
        }
    }

    /// Takes an effect that is over out of the table.
    func forget(id: AnyHashable, number: Int) {
        let token = tables.withLock { $0.remove(id: id, number: number) }
        withExtendedLifetime(token) {}
    }
}
