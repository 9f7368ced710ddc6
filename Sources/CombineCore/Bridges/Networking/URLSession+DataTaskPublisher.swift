public import Foundation
public import FoundationNetworking

extension URLSession {
    /// Makes a publisher of the answer to a GET request for `url`.
    public func dataTaskPublisher(for url: URL) -> DataTaskPublisher {
        dataTaskPublisher(for: URLRequest(url: url))
    }

    /// Makes a publisher of the answer to `request`.
    public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
        DataTaskPublisher(request: request, session: self)
    }

    /// Sends a request for each subscriber, delivers the answer, and finishes.
    ///
    /// The request is sent when the subscriber first asks. Whatever its status, an answer is a value; only what kept
    /// an answer from coming is a failure. Both are delivered on the session's delegate queue. Cancelling cancels the
    /// request.
    public struct DataTaskPublisher: Publisher {
        /// The content, and the status and fields that came with it.
        public typealias Output = (data: Data, response: URLResponse)
        /// Why no answer came.
        public typealias Failure = URLError

        /// What is sent.
        public let request: URLRequest
        /// What sends it.
        public let session: URLSession

        /// Makes the publisher; nothing is sent before somebody subscribes and asks.
        public init(request: URLRequest, session: URLSession) {
            self.request = request
            self.session = session
        }

        /// Attaches `subscriber`, for which a request of its own is sent.
        public func receive<S: Subscriber>(subscriber: S) where S.Failure == URLError, S.Input == Output {
            subscriber.receive(subscription: DataTaskConduit(self, subscriber))
        }
    }
}
