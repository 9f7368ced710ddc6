import Dispatch
import Foundation
import Synchronization
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A task of a session and the receiver of its events.
final class URLSessionExchange: TransportExchange {
    let task: URLSessionDataTask
    private let receive: @MainActor (TransportEvent) -> Void
    private let limit: Int
    private let router: Router
    /// The received bytes that the main actor has not handled.
    private let pendingBytes = Atomic(0)
    private let isOver = Atomic(false)

    init(
        _ task: URLSessionDataTask, limit: Int, router: Router, _ receive: @escaping @MainActor (TransportEvent) -> Void
    ) {
        self.task = task
        self.limit = limit
        self.router = router
        self.receive = receive
    }

    func cancel() {
        isOver.store(true, ordering: .relaxed)
        router.cancel(self)
    }

    /// Passes a head on.
    func takeHead(_ response: HTTPURLResponse) {
        var fields: [String: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields {
            fields[name.lowercased()] = value
        }
        pass(.head(status: response.statusCode, fields: fields))
    }

    /// Passes bytes on. Returns false if too many wait.
    func takeBytes(_ data: Data) -> Bool {
        let count = data.count
        let waiting = pendingBytes.add(count, ordering: .relaxed).newValue
        guard waiting <= limit else {
            end(.failed(TransportFailure("the response arrives faster than it is handled")))
            return false
        }
        pass(.bytes([UInt8](data)), count)
        return true
    }

    /// Passes the end of the response on, unless it has ended.
    func end(_ event: TransportEvent) {
        pass(event)
    }

    private func pass(_ event: TransportEvent, _ count: Int = 0) {
        // The main queue rather than a task: it keeps the order.
        DispatchQueue.main.async { [self] in
            MainActor.assumeIsolated {
                pendingBytes.subtract(count, ordering: .relaxed)
                guard !isOver.load(ordering: .relaxed) else { return }
                switch event {
                case .finished, .failed: isOver.store(true, ordering: .relaxed)
                case .head, .bytes: break
                }
                receive(event)
            }
        }
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
        if let response = response as? HTTPURLResponse { exchanges[dataTask.taskIdentifier]?.takeHead(response) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let exchange = exchanges[dataTask.taskIdentifier], !exchange.takeBytes(data) else { return }
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
        guard let error else { return exchange.end(.finished) }
        exchange.end(.failed(TransportFailure(error.localizedDescription, isUnsent: Self.isUnsent(error))))
    }

    /// Whether a request that failed certainly has not reached a server.
    private static func isUnsent(_ error: any Error) -> Bool {
        guard let error = error as? URLError else { return false }
        let unsent: [URLError.Code] = [
            .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet, .secureConnectionFailed,
            .serverCertificateUntrusted, .badURL, .unsupportedURL,
        ]
        return unsent.contains(error.code)
    }
}
