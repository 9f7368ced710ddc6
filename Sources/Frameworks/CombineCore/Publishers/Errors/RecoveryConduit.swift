public import StateCapture

/// The conduit behind `catch` and `tryCatch`: a failed upstream is replaced with the publisher that a handler returns.
///
/// `Owner` is the type of the publisher, after which the subscription is named.
@usableFromInline
final class RecoveryConduit<Owner, Handler: OperatorClosure, Downstream: Subscriber>: SuccessorConduit<Downstream>,
    Subscriber
where
    Handler.Argument: Error, Handler.Result: Publisher, Handler.SourceFailure == Handler.Result.Failure,
    Downstream.Input == Handler.Result.Output, Downstream.Failure == Handler.Failure
{
    /// Accessed inside the gate, and released after the end.
    @exclusivity(unchecked) @usableFromInline var handler: Handler?
    /// The state for captures of the machine; nil if the machine is not captured. Accessed inside the gate.
    @usableFromInline var recovery: Recovery<Handler.Argument>?

    @inlinable
    init(_ downstream: Downstream, _ handler: Handler) {
        self.handler = handler
        super.init(downstream) {
            unsafeDowncast($0, to: RecoveryConduit<Owner, Handler, Downstream>.self).handle($1)
        }
    }

    @usableFromInline override var description: String { LinkName.of(Owner.self) }

    @usableFromInline override var customMirror: Mirror {
        let wanted = Subscribers.Demand(outstanding: demand.current)
        return mirror([("downstream", downstream as Any), ("demand", wanted)])
    }

    @inlinable
    func handle(_ command: Command) {
        switch command {
        case .request(let more):
            more.requirePositive()
            request(adding: more)
        case .cancel: endAndCancel()
        case .drainPending:
            guard demand.isEnded else { return }
            downstream = nil
            handler = nil
            postponed = []
        }
    }

    @inlinable
    func receive(subscription: any Subscription) {
        begin(subscription)
    }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        pass(input)
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Handler.Argument>) {
        let outermost = enter()
        defer { exit(outermost) }
        // The failed upstream must be dropped first: `proceed` accepts the replacement's subscription only if there is no
        // upstream.
        takeUpstream()
        switch completion {
        case .finished: complete(.finished)
        case .failure(let error): recover(from: error)
        }
    }

    @inlinable
    func recover(from error: Handler.Argument) {
        guard !demand.isEnded, let handler else { return }
        if let recovery { recovery.error = error }
        do throws(Handler.Failure) {
            // The handler may cancel the stream; the replacement's subscription is then cancelled when it arrives.
            let next = try handler.call(error)
            // In a deep chain of replacements, this conduit has nothing left to do and downstream takes the replacement
            // directly; the chain does not grow.
            if let recovery {
                recovery.scope.wire { subscribe(ReplacementSubscriber(owner: self), to: next) }
            } else if !transferDownstream(to: next) {
                subscribe(ReplacementSubscriber(owner: self), to: next)
            }
        } catch {
            complete(.failure(error))
        }
    }

    /// Completes downstream with the completion of the replacement, whose failure is not handled again.
    @inlinable
    func completeReplacement(_ completion: Subscribers.Completion<Handler.SourceFailure>) {
        // Entered before the handler is read: another thread may be ending the conduit and releasing it.
        let outermost = enter()
        defer { exit(outermost) }
        switch completion {
        case .finished: complete(.finished)
        case .failure(let error):
            // Without a handler, the conduit has ended and there is nothing to complete.
            if let handler { complete(.failure(handler.translate(error))) }
        }
    }
}

/// The subscriber of the replacement publisher.
@usableFromInline
struct ReplacementSubscriber<Owner, Handler: OperatorClosure, Downstream: Subscriber>: Subscriber, DescribedSubscriber,
    ReplaceableSubscriber
where
    Handler.Argument: Error, Handler.Result: Publisher, Handler.SourceFailure == Handler.Result.Failure,
    Downstream.Input == Handler.Result.Output, Downstream.Failure == Handler.Failure
{
    @usableFromInline let owner: RecoveryConduit<Owner, Handler, Downstream>

    @inlinable
    init(owner: RecoveryConduit<Owner, Handler, Downstream>) {
        self.owner = owner
    }

    // The subscriber is a value; the conduit behind it identifies the subscription.
    @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(owner) }

    @usableFromInline var description: String { owner.description }

    @usableFromInline var customMirror: Mirror { owner.customMirror }

    @inlinable
    func receive(subscription: any Subscription) {
        owner.proceed(subscription)
    }

    @inlinable
    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        owner.pass(input)
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Handler.SourceFailure>) {
        owner.completeReplacement(completion)
    }

    @usableFromInline
    func replaceUpstream(with next: Any) -> Bool {
        owner.replaceUpstream(of: self, with: next)
    }

    @usableFromInline
    func postpone(_ task: @escaping () -> Void) -> Bool {
        owner.postpone(task)
    }
}
