/// The connection between a publisher and one subscriber.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    /// Tells the publisher that it may send `demand` more values, on top of what was requested before.
    func request(_ demand: Subscribers.Demand)
}
