import Dispatch
import Foundation
import FoundationNetworking

/// Runs requests on one `URLSession` and gives each its answer, or the reason why there is none, exactly once.
final class TransferSession: Sendable {
    private let session: URLSession
    private let transfers: Transfers
    private let totalTimeout: Duration

    /// A session whose requests take no longer than that.
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
    ///   - finish: Called once, on a queue of the session or inside the returned closure, never before `send` returns
    ///     on the same thread.
    /// - Returns: Ends the request and its connection if it is still under way; `finish` is told so.
    func send(
        _ request: URLRequest, as transfer: Transfer,
        finish: @escaping @Sendable (Result<Answer, TransferFailure>) -> Void
    ) -> @Sendable () -> Void {
        let task = session.dataTask(with: request)
        let number = task.taskIdentifier
        transfers.begin(task, transfer, finish: finish)
        // URLSession on Linux limits the silences of a request, but not the whole of it.
        DispatchQueue.global().asyncAfter(deadline: .now() + totalTimeout.timeInterval) { [weak transfers] in
            transfers?.stop(number, because: .tookTooLong)
        }
        task.resume()
        return { [transfers] in transfers.stop(number, because: .cancelled) }
    }
}
