/// The connection between a publisher and one subscriber.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    /// Requests `demand` more values, in addition to those requested before.
    func request(_ demand: Subscribers.Demand)
}
