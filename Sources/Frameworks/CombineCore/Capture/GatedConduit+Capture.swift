extension GatedConduit {
    /// Ends a conduit that had ended when the machine was captured, before it has an upstream.
    ///
    /// Parts downstream know what their upstreams had done. Subscribers that are not captured receive an end without a
    /// value.
    final func endRestored<Downstream: Subscriber>(_ downstream: Downstream?) {
        guard demand.end() else { return }
        downstream?.receive(subscription: Subscriptions.empty)
        downstream?.receive(completion: .finished)
        releaseReferences()
    }
}
