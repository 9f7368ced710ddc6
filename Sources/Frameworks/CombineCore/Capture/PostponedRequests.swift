public import StateCapture

/// The subscription that a source sends while a machine is wired from stored state: it requests nothing before the
/// machine is wired, so that the source sends nothing meanwhile.
@usableFromInline
final class PostponedRequests: Conduit {
    private let source: Conduit
    private let registry: StateRegistry

    @usableFromInline
    init(_ source: Conduit, _ registry: StateRegistry) {
        self.source = source
        self.registry = registry
        super.init { unsafeDowncast($0, to: PostponedRequests.self).handle($1) }
    }

    private func handle(_ command: Command) {
        guard registry.isRestoring, case .request(let more) = command else { return source.respond(source, command) }
        registry.afterWiring { [source] in source.request(more) }
    }

    override var description: String { source.description }

    override var customMirror: Mirror { source.customMirror }
}

extension StateRegistry {
    /// Registers the subscription of a source, whose state says what it has delivered. If the machine is restored, sends a
    /// subscription to the subscriber.
    ///
    /// - Returns: Whether the machine is restored. If not, the caller sends the subscription.
    @usableFromInline
    func restart<Source: Conduit & StatefulPart, Downstream: Subscriber>(
        _ source: Source, _ subscriber: Downstream
    ) -> Bool {
        register(source)
        guard isRestoring else { return false }
        if !source.isOver {
            subscriber.receive(subscription: PostponedRequests(source, self))
        } else {
            subscriber.receive(subscription: Subscriptions.empty)
            subscriber.receive(completion: .finished)
        }
        return true
    }
}

extension StatefulPart {
    var isOver: Bool { partState == nil }
}
