#if canImport(Darwin)
    import Dispatch
    import Foundation

    /// A task of a session and the receiver of its events.
    final class URLSessionExchange: TransportExchange {
        let task: URLSessionDataTask
        let relay: EventRelay
        private let router: Router

        init(_ task: URLSessionDataTask, _ relay: EventRelay, router: Router) {
            self.task = task
            self.relay = relay
            self.router = router
        }

        func cancel() {
            relay.close()
            router.cancel(self)
        }
    }

    /// The delegate of a session, which passes events to the exchanges of its tasks.
    ///
    /// Sendable because `exchanges` is accessed only on the queue, on which the session calls its delegate as well.
    final class Router: NSObject, URLSessionDataDelegate, @unchecked Sendable {
        let operations = OperationQueue()
        private let queue = DispatchQueue(label: "granary.client.transport")
        private var exchanges: [Int: URLSessionExchange] = [:]

        override init() {
            super.init()
            operations.maxConcurrentOperationCount = 1
            operations.underlyingQueue = queue
        }

        func start(_ exchange: URLSessionExchange) {
            queue.async { [self] in
                exchanges[exchange.task.taskIdentifier] = exchange
                exchange.task.resume()
            }
        }

        func cancel(_ exchange: URLSessionExchange) {
            queue.async { [self] in
                guard exchanges.removeValue(forKey: exchange.task.taskIdentifier) != nil else { return }
                exchange.task.cancel()
            }
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            if let response = response as? HTTPURLResponse {
                var fields: [String: String] = [:]
                for case (let name as String, let value as String) in response.allHeaderFields {
                    fields[name.lowercased()] = value
                }
                exchanges[dataTask.taskIdentifier]?.relay.pass(.head(status: response.statusCode, fields: fields))
            }
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            guard let exchange = exchanges[dataTask.taskIdentifier], !exchange.relay.pass(.bytes([UInt8](data))) else {
                return
            }
            cancel(exchange)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            // A redirection would send the credential and the input elsewhere.
            completionHandler(nil)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            guard let exchange = exchanges.removeValue(forKey: task.taskIdentifier) else { return }
            let failure = error.map { TransportFailure($0.localizedDescription, isUnsent: Self.isUnsent($0)) }
            exchange.relay.pass(failure.map { .failed($0) } ?? .finished)
        }

        /// Whether a request that failed certainly has not reached a server.
        private static func isUnsent(_ error: any Error) -> Bool {
            guard let error = error as? URLError else { return false }
            let unsent: [URLError.Code] = [
                .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
                .secureConnectionFailed,
                .serverCertificateUntrusted, .badURL, .unsupportedURL,
            ]
            return unsent.contains(error.code)
        }
    }
#endif
