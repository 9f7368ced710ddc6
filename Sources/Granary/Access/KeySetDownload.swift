import Dispatch
import Foundation
import FoundationNetworking
import HTTPModel
import Locking

/// Downloads one small document at a time, with limits of size, time and redirects.
final class KeySetDownload: NSObject, URLSessionDataDelegate {
    private struct Running {
        let task: URLSessionTask
        let url: URL
        let finish: @Sendable (Result<[UInt8], KeyFileError>) -> Void
        var redirects = 0
        var body: [UInt8] = []
    }

    private static let largest = 256 << 10
    private static let mostRedirects = 5

    private let timeout: Duration
    private let running = Lock<Running?>(nil)
    private let session = Lock<URLSession?>(nil)

    /// Creates a downloader with a timeout for a complete document.
    init(timeout: Duration) { self.timeout = timeout }

    /// Starts a download. A download in flight is cancelled.
    ///
    /// - Parameter finish: Called once, on a queue of the session. Not called after ``cancel()``.
    func start(_ url: URL, finish: @escaping @Sendable (Result<[UInt8], KeyFileError>) -> Void) {
        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        request.setValue("application/jwk-set+json, application/json", forHTTPHeaderField: "Accept")
        let task = makeSession().dataTask(with: request)
        let previous = running.withLock { running in
            defer { running = Running(task: task, url: url, finish: finish) }
            return running
        }
        previous?.task.cancel()
        // On Linux, URLSession limits only the time between data.
        let milliseconds = Int(timeout.wholeMilliseconds)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self, weak task] in
            guard let self, let task else { return }
            stop(task, "no complete response within \(timeout.text)")
        }
        task.resume()
    }

    /// Cancels the download in flight, without a result.
    func cancel() {
        let cancelled = running.withLock { running in
            defer { running = nil }
            return running
        }
        cancelled?.task.cancel()
        // A session retains its delegate until then.
        let session = session.withLock { session in
            defer { session = nil }
            return session
        }
        session?.invalidateAndCancel()
    }

    private func makeSession() -> URLSession {
        session.withLock { session in
            if let session { return session }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCache = nil
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.urlCredentialStorage = nil
            configuration.timeoutIntervalForRequest = TimeInterval(timeout.components.seconds)
            let made = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
            session = made
            return made
        }
    }

    /// Removes the running download if it has this task. Only the caller that removes it reports the result.
    private func take(_ task: URLSessionTask) -> Running? {
        running.withLock { running in
            guard let present = running, present.task === task else { return nil }
            running = nil
            return present
        }
    }

    private func stop(_ task: URLSessionTask, _ reason: String) {
        guard let ended = take(task) else { return }
        ended.task.cancel()
        ended.finish(.failure(KeySetDownload.failure(ended.url, reason)))
    }

    private static func failure(_ url: URL, _ reason: String) -> KeyFileError {
        KeyFileError("access.jwt: expected a JWK set from \(url.absoluteString), got: \(reason)")
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let isFollowed = running.withLock { running in
            guard running?.task === task, let first = running?.url, let next = request.url else { return false }
            running?.redirects += 1
            // Not from https to http, even on this machine: the configuration names the first URL only.
            return running?.redirects ?? 0 <= KeySetDownload.mostRedirects && TokenKeySource.isAllowed(next)
                && next.scheme?.lowercased() == first.scheme?.lowercased()
        }
        completionHandler(isFollowed ? request : nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if status != 200 {
            stop(dataTask, "status \(status)")
        } else if response.expectedContentLength > Int64(KeySetDownload.largest) {
            stop(dataTask, "more than \(KeySetDownload.largest) bytes")
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let fits = running.withLock { running in
            guard running?.task === dataTask else { return true }
            guard data.count <= KeySetDownload.largest - (running?.body.count ?? 0) else { return false }
            running?.body.append(contentsOf: data)
            return true
        }
        if !fits { stop(dataTask, "more than \(KeySetDownload.largest) bytes") }
    }

    // On Linux, a response with a challenge waits for credentials forever.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        stop(task, "a request for credentials")
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let ended = take(task) else { return }
        if let error {
            ended.finish(.failure(KeySetDownload.failure(ended.url, error.localizedDescription)))
        } else {
            ended.finish(.success(ended.body))
        }
    }
}
