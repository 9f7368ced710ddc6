public import StateCapture

/// A subscriber that cancels its subscription. It takes the place of one that is done with a publisher, so that the parts
/// of the publisher register under the same keys as in the first life of the machine.
struct CancellingSubscriber<Input, Failure: Error>: Subscriber {
    let combineIdentifier = CombineIdentifier()

    func receive(subscription: any Subscription) { subscription.cancel() }

    func receive(_ input: Input) -> Subscribers.Demand { .none }

    func receive(completion: Subscribers.Completion<Failure>) {}
}

extension Publishers.Concatenate.Inner: StatefulPart {
    @usableFromInline static var partName: StaticString { "concatenate" }

    /// Whether the second publisher has been subscribed to.
    @usableFromInline var partState: ValueState<Bool>? { state { ValueState(suffix == nil) } }

    @usableFromInline
    func restore(_ state: ValueState<Bool>?) {
        guard let state else { return endRestored(downstream) }
        isInSuffix = state.value.value
    }
}

extension Publishers.Concatenate {
    /// Attaches a subscriber of a machine that is being wired.
    @usableFromInline
    func receiveWhileWiring<S: Subscriber>(_ subscriber: S)
    where Suffix.Failure == S.Failure, Suffix.Output == S.Input {
        guard let registry = StateRegistry.current else { return }
        let inner = Inner(subscriber, suffix)
        let scope = registry.makeScope(named: "suffix")
        inner.scope = scope
        registry.register(inner)
        guard inner.isInSuffix || inner.demand.isEnded else { return prefix.receive(subscriber: inner) }
        prefix.receive(subscriber: CancellingSubscriber<Output, Failure>())
        guard !inner.demand.isEnded else { return }
        let outermost = inner.enter()
        inner.suffix = nil
        scope.wire { inner.subscribe(inner, to: suffix) }
        inner.exit(outermost)
    }
}

extension Publishers.Retry.Inner: StatefulPart {
    @usableFromInline static var partName: StaticString { "retry" }

    /// The number of remaining attempts; nil if there is no limit.
    @usableFromInline var partState: OptionalState<Int>? { state { OptionalState(remaining) } }

    @usableFromInline
    func restore(_ state: OptionalState<Int>?) {
        guard let state else { return endRestored(downstream) }
        remaining = state.value.value.map { max(0, $0) }
    }

    /// Makes the first attempt for a machine that is being wired.
    @usableFromInline
    func start(whileWiring registry: StateRegistry) {
        let scope = registry.makeScope(named: "attempt")
        self.scope = scope
        // Ended conduits release the source.
        let source = source
        registry.register(self)
        scope.wire { source?.receive(subscriber: self) }
    }
}

/// The error from which a `catch` has recovered, and the scope of the parts of the replacement.
@usableFromInline
final class Recovery<Failure: Error> {
    @usableFromInline let scope: StateScope
    // Accessed inside the gate of the conduit.
    @usableFromInline var error: Failure?

    init(_ scope: StateScope) {
        self.scope = scope
    }
}

@usableFromInline
struct RecoveryState<Failure: Error>: Codable {
    /// The error from which it has recovered.
    var failure: StoredCompletion<Failure>?
}

extension RecoveryConduit: StatefulPart {
    @usableFromInline static var partName: StaticString { "catch" }

    @usableFromInline var partState: RecoveryState<Handler.Argument>? {
        state { RecoveryState(failure: recovery?.error.map { .failure($0) }) }
    }

    @usableFromInline
    func restore(_ state: RecoveryState<Handler.Argument>?) {
        switch state?.failure {
        case .failure(let error?): recovery?.error = error
        // Without the error, there is no replacement to continue with.
        case .failure(nil), .finished: endRestored(downstream)
        case nil: if state == nil { endRestored(downstream) }
        }
    }

    /// Subscribes for a machine that is being wired: to upstream, or to the replacement if upstream had failed.
    @usableFromInline
    func start<Upstream: Publisher>(with upstream: Upstream, whileWiring registry: StateRegistry)
    where Upstream.Output == Downstream.Input, Upstream.Failure == Handler.Argument {
        let recovery = Recovery<Handler.Argument>(registry.makeScope(named: "replacement"))
        self.recovery = recovery
        registry.register(self)
        guard let error = recovery.error, !demand.isEnded else { return upstream.receive(subscriber: self) }
        upstream.receive(subscriber: CancellingSubscriber<Downstream.Input, Handler.Argument>())
        let outermost = enter()
        // Downstream receives its subscription with that of upstream otherwise.
        downstream?.receive(subscription: self)
        recover(from: error)
        exit(outermost)
    }
}
