public import Foundation
public import FoundationNetworking
import StateCapture

extension URLSession {
    /// Returns a publisher of the response to a GET request for `url`.
    public func dataTaskPublisher(for url: URL) -> DataTaskPublisher {
        dataTaskPublisher(for: URLRequest(url: url))
    }

    /// Returns a publisher of the response to `request`.
    public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
        DataTaskPublisher(request: request, session: self)
    }

    /// A publisher that sends a request for each subscriber, delivers the response, and finishes.
    ///
    /// It sends the request when the subscriber first requests a value. A response is delivered as a value regardless
    /// of its status code; the publisher fails only if there is no response. It delivers both on the session's delegate
    /// queue. Cancelling the subscription cancels the request.
    public struct DataTaskPublisher: Publisher {
        /// The body of the response, and its status and header fields.
        public typealias Output = (data: Data, response: URLResponse)
        /// The reason why there is no response.
        public typealias Failure = URLError

        /// The request that is sent.
        public let request: URLRequest
        /// The session that sends the request.
        public let session: URLSession

        /// Creates the publisher. It sends nothing until a subscriber requests a value.
        public init(request: URLRequest, session: URLSession) {
            self.request = request
            self.session = session
        }

        /// Attaches `subscriber`, for which a separate request is sent.
        ///
        /// A request that has no response when a session is captured is not sent again when it is restored. The publisher
        /// then finishes without a value, and the request is reported as interrupted work.
        public func receive<S: Subscriber>(subscriber: S) where S.Failure == URLError, S.Input == Output {
            let conduit = DataTaskConduit(self, subscriber)
            guard let registry = StateRegistry.current else { return subscriber.receive(subscription: conduit) }
            registry.register(conduit)
            guard registry.isRestoring else { return subscriber.receive(subscription: conduit) }
            // The request was sent in the first life of a restored machine. Sending it again could repeat an effect, and its
            // answer belongs to another process. So the publisher finishes without a value.
            subscriber.receive(subscription: Subscriptions.empty)
            if conduit.isOver { return subscriber.receive(completion: .finished) }
            registry.addInterruptedWork([InterruptedWork(name: "dataTaskPublisher")])
            registry.afterWiring {
                conduit.cancel()
                subscriber.receive(completion: .finished)
            }
        }
    }
}
