import CombineCore
import Locking

extension EffectScope {
    /// Subscribes to `publisher`, and registers the subscription under the id.
    func attach<Output, Failure: Error>(
        _ downstream: AnySubscriber<Output, Failure>, to publisher: Effect<Output, Failure>,
        id cancellation: CancellationID, owner: EffectOwner? = nil, cancelInFlight: Bool
    ) {
        if cancelInFlight { cancel(cancellation, sparesStarting: true) }
        let id = cancellation.value
        let number = table.withLock { $0.nextNumber() }
        let link = CancellableLink(downstream) { [weak self] in self?.forget(id: id, number: number) }
        let token = AnyCancellable { link.finish() }
        table.withLock { table in
            table.add(token, id: id, number: number, owner: owner ?? .feature(cancellation.path))
            table.beginStart(number)
        }
        defer { table.withLock { $0.endStart(number) } }
        // Registered before it is subscribed: an effect that completes or cancels its own id while it is being
        // subscribed must find its entry, or the entry would stay forever.
        downstream.receive(subscription: link)
        let path = (id.base as? ChildID)?.path ?? FeaturePath.current
        path.run { run { CancellationIDs.appending(cancellation, in: self) { publisher.receive(subscriber: link) } } }
    }

    /// Completes all registered effects with the id.
    func cancel(id: AnyHashable) {
        cancel(CancellationID(id))
    }

    /// Completes all registered effects with the id, and those that a host runs under its name.
    ///
    /// - Parameter sparesStarting: Whether effects that are being subscribed to continue: an effect that replaces those in flight may
    ///   be a part of one with the same id.
    func cancel(_ id: CancellationID, sparesStarting: Bool = false) {
        cancelRegistered(id.value, in: id.path, sparesStarting)
        guard table.withLock({ $0.hasStoredIDs }), let name = id.name else { return }
        cancelRegistered(StoredID(name: name), in: id.path, sparesStarting)
    }

    private func cancelRegistered(_ id: AnyHashable, in path: FeaturePath, _ sparesStarting: Bool) {
        // Outside the lock, because cancelling completes downstream, which may subscribe the next effect of a chain.
        let tokens = table.withLock { $0.take(id: id, in: path, sparesStarting: sparesStarting) }
        for token in tokens { token.cancel() }
    }

    /// Registers `token` under the id until the returned number is removed with ``forget(id:number:)``.
    func keep(_ token: AnyCancellable, id: AnyHashable) -> Int {
        table.withLock { table in
            let number = table.nextNumber()
            table.add(token, id: id, number: number, owner: .feature(FeaturePath.current.ofChild))
            return number
        }
    }

    /// Removes an effect that has ended from the table.
    func forget(id: AnyHashable, number: Int) {
        let token = table.withLock { $0.remove(id: id, number: number) }
        // Released outside the lock: releasing the last reference runs deinitializers, which may use this table.
        withExtendedLifetime(token) {}
    }
}
