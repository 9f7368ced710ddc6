import Dispatch
import Foundation
import FoundationNetworking

/// Runs requests on a `URLSession` and reports the result of each exactly once.
final class TransferSession: Sendable {
    private let session: URLSession
    private let transfers: Transfers
    private let totalTimeout: Duration

    /// Creates a session with a timeout for complete responses.
    init(totalTimeout: Duration) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        transfers = Transfers()
        self.totalTimeout = totalTimeout
        session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
    }

    deinit {
        session.invalidateAndCancel()
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - transfer: The state of the request.
    ///   - finish: Receives the result exactly once, on a queue of the session or inside the returned closure. It is
    ///     never called on the current thread before `send` returns.
    /// - Returns: A closure that cancels the request if it is in flight; `finish` then receives a failure.
    func send(
        _ request: URLRequest, as transfer: Transfer,
        finish: @escaping @Sendable (Result<Response, TransferFailure>) -> Void
    ) -> @Sendable () -> Void {
        let task = session.dataTask(with: request)
        let number = task.taskIdentifier
        transfers.begin(task, transfer, finish: finish)
        // On Linux, URLSession applies `timeoutInterval` to the time between data, and has no limit for the whole
        // request.
        DispatchQueue.global().asyncAfter(deadline: .now() + totalTimeout.timeInterval) { [weak transfers] in
            transfers?.stop(number, because: .tookTooLong)
        }
        task.resume()
        return { [transfers] in transfers.stop(number, because: .cancelled) }
    }
}
