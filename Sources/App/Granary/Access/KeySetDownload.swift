import Foundation
import HTTPTransfer
import Locking

/// Downloads one small document at a time, with limits of size, time and redirects.
final class KeySetDownload: Sendable {
    private static let maxBytes = 256 << 10

    private let timeout: Duration
    private let client = TransferClient()
    private let running = Lock<Transfer?>(nil)

    /// Creates a downloader with a timeout for a complete document.
    init(timeout: Duration) { self.timeout = timeout }

    /// Starts a download. A download in flight is cancelled.
    ///
    /// - Parameter finish: Called once, on a queue of the client, unless the download is cancelled before.
    func start(_ url: URL, finish: @escaping @Sendable (Result<[UInt8], OperatorError>) -> Void) {
        let request = TransferRequest(
            url, fields: [("Accept", "application/jwk-set+json, application/json"), ("User-Agent", "granary")],
            totalTimeout: timeout, maxBytes: KeySetDownload.maxBytes
        ) { next in
            // Not from https to http, even on this machine: the configuration names the first URL only.
            TokenKeySource.isAllowed(next) && next.scheme?.lowercased() == url.scheme?.lowercased()
        }
        replace(
            with: client.collect(request) { [timeout] result in
                let reason: String
                switch result {
                case .success(let response) where response.head.status == 200: return finish(.success(response.body))
                case .success(let response): reason = "status \(response.head.status)"
                case .failure(.cancelled): return
                case .failure(.timedOut): reason = "no complete response within \(timeout.text)"
                case .failure(let failure): reason = failure.description
                }
                finish(
                    .failure(
                        OperatorError("access.jwt: expected a JWK set from \(url.absoluteString), got: \(reason)")))
            })
    }

    /// Cancels the download in flight, without a result.
    func cancel() { replace(with: nil) }

    private func replace(with new: Transfer?) {
        let previous = running.withLock { running in
            defer { running = new }
            return running
        }
        previous?.cancel()
    }
}
