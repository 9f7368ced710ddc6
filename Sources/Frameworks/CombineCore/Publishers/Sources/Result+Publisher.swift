public import StateCapture

extension Result {
    /// A publisher that delivers the value and finishes, or fails.
    public var publisher: Publisher {
        Publisher(self)
    }

    /// A publisher that delivers one value and finishes, or fails without a value.
    @frozen
    public struct Publisher: CombineCore.Publisher {
        /// The success type of the result.
        public typealias Output = Success

        /// The result that every subscriber receives.
        public let result: Result<Success, Failure>

        /// Creates a publisher of `result`.
        @inlinable
        public init(_ result: Result<Success, Failure>) {
            self.result = result
        }

        /// Creates a publisher of a value.
        @inlinable
        public init(_ output: Success) {
            result = .success(output)
        }

        /// Creates a publisher that fails.
        @inlinable
        public init(_ failure: Failure) {
            result = .failure(failure)
        }

        /// Attaches `subscriber`, which receives the value on its first request. A failure is delivered immediately.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where Success == S.Input, Failure == S.Failure {
            switch result {
            case .success(let value):
                if StateRegistry.isWiring {
                    OneValueConduit<Self, Output, S>.startWhileWiring(value, subscriber)
                } else {
                    subscriber.receive(subscription: OneValueConduit<Self, Output, S>(value, subscriber))
                }
            case .failure(let error):
                subscriber.receive(subscription: Subscriptions.empty)
                subscriber.receive(completion: .failure(error))
            }
        }
    }
}

extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}

extension Result.Publisher: NamedSource {
    static var subscriptionName: String { "Once" }
}
