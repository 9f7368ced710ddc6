#if canImport(Darwin)
    public import Foundation

    /// Sends requests with `URLSession`, all of them over the connections of one session without cookies and caches: the transport on
    /// Apple's platforms.
    ///
    /// `URLSession` has no flow control: it reads as fast as the server sends. So the transport counts the bytes that the main actor
    /// has not handled yet. A request that exceeds the limit fails; a stream then continues from its last position.
    public final class URLSessionTransport: ClientTransport {
        private let session: URLSession
        private let router: Router
        private let maxPendingBytes: Int

        /// Creates a transport.
        ///
        /// - Parameters:
        ///   - configuration: The configuration of the session, for example with a proxy. Cookies, caches and credentials are
        ///     turned off.
        ///   - maxPendingBytes: The number of received bytes of one response that may wait for the main actor.
        public init(
            configuration: URLSessionConfiguration = .ephemeral, maxPendingBytes: Int = 16 << 20
        ) {
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.urlCache = nil
            configuration.urlCredentialStorage = nil
            // The client has limits of its own; a stream stays open for an hour.
            configuration.timeoutIntervalForRequest = 24 * 3600
            configuration.timeoutIntervalForResource = 7 * 24 * 3600
            self.maxPendingBytes = maxPendingBytes
            router = Router()
            session = URLSession(configuration: configuration, delegate: router, delegateQueue: router.operations)
        }

        deinit {
            // The session retains its delegate until then.
            session.invalidateAndCancel()
        }

        /// Starts a request.
        public func start(
            _ request: ClientRequest, _ receive: @escaping @MainActor (TransportEvent) -> Void
        ) -> any TransportExchange {
            var outgoing = URLRequest(url: request.url)
            outgoing.httpMethod = request.method
            outgoing.cachePolicy = .reloadIgnoringLocalCacheData
            for (name, value) in request.fields { outgoing.setValue(value, forHTTPHeaderField: name) }
            outgoing.httpBody = request.body.map { Data($0) }
            let exchange = URLSessionExchange(
                session.dataTask(with: outgoing), EventRelay(limit: maxPendingBytes, receive), router: router)
            router.start(exchange)
            return exchange
        }
    }
#endif
