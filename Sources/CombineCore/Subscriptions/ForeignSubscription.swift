extension Conduit {
    /// A subscription in one word, so that holding and dropping it is cheap: itself if it is a link, as it mostly is, or
    /// else a link that passes everything on to it.
    @usableFromInline
    static func wrapping(_ subscription: any Subscription) -> Conduit {
        conduit(of: subscription)
    }

    private static func conduit<Held: Subscription>(of subscription: Held) -> Conduit {
        if Held.self is Conduit.Type {
            // A cast would go through the bridging of the run-time.
            return withUnsafePointer(to: subscription) { UnsafeRawPointer($0).load(as: Conduit.self) }
        }
        return ForeignSubscription(subscription)
    }
}

/// Passes requests and cancellations on to a subscription that is no link of this module.
final class ForeignSubscription: Conduit {
    private let subscription: any Subscription

    init(_ subscription: any Subscription) {
        self.subscription = subscription
        super.init { unsafeDowncast($0, to: ForeignSubscription.self).handle($1) }
    }

    private func handle(_ command: Command) {
        switch command {
        case .request(let more): subscription.request(more)
        case .cancel: subscription.cancel()
        case .drainPending: return
        }
    }
}
