extension Conduit {
    /// Returns a conduit for `subscription`: the subscription itself if it is a conduit, and otherwise a new conduit
    /// that forwards to it.
    // A reference is one word; `any Subscription` takes five, and the runtime copies and destroys it through value
    // witnesses.
    @usableFromInline
    static func wrapping(_ subscription: any Subscription) -> Conduit {
        conduit(of: subscription)
    }

    private static func conduit<Held: Subscription>(of subscription: Held) -> Conduit {
        if Held.self is Conduit.Type {
            // `Held` is a conduit class, so its instance is laid out as a reference. A conditional cast would search
            // conformances and consider bridging at run time, for every subscription.
            return withUnsafePointer(to: subscription) { UnsafeRawPointer($0).load(as: Conduit.self) }
        }
        return ForeignSubscription(subscription)
    }
}

/// A conduit that forwards requests and cancellations to a subscription that this module did not create.
final class ForeignSubscription: Conduit {
    private let subscription: any Subscription

    init(_ subscription: any Subscription) {
        self.subscription = subscription
        super.init { unsafeDowncast($0, to: ForeignSubscription.self).handle($1) }
    }

    override var description: String { "\(subscription)" }

    private func handle(_ command: Command) {
        switch command {
        case .request(let more): subscription.request(more)
        case .cancel: subscription.cancel()
        case .drainPending: return
        }
    }
}
