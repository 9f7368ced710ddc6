import Foundation
import FoundationNetworking
import Locking

/// The requests in flight, and the delegate that receives their events.
///
/// Only the caller that removes a transfer from the table reports its result. So if a response, a cancellation and a
/// timeout coincide, only one of them is reported.
final class Transfers: NSObject, URLSessionDataDelegate {
    private struct Running {
        var task: URLSessionTask
        var transfer: Transfer
        var finish: @Sendable (Result<Response, TransferFailure>) -> Void
    }

    private let running = Lock<[Int: Running]>([:])

    /// Registers a task before it is resumed.
    func begin(
        _ task: URLSessionTask, _ transfer: Transfer,
        finish: @escaping @Sendable (Result<Response, TransferFailure>) -> Void
    ) {
        running.withLock { $0[task.taskIdentifier] = Running(task: task, transfer: transfer, finish: finish) }
    }

    /// Stops a task if it is in flight.
    func stop(_ number: Int, because failure: TransferFailure) {
        guard let ended = take(number) else { return }
        ended.task.cancel()
        ended.finish(.failure(failure))
    }

    private func take(_ number: Int) -> Running? {
        running.withLock { $0.removeValue(forKey: number) }
    }

    /// Reports the result of a task.
    private func end(_ number: Int, _ failure: (code: Int, text: String)?) {
        guard let ended = take(number) else { return }
        ended.finish(ended.transfer.ended(with: failure))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let isFollowed = running.withLock { running in
            running[task.taskIdentifier]?.transfer.redirected(to: request.url) ?? false
        }
        completionHandler(isFollowed ? request : nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let head = response as? HTTPURLResponse
        let fields = ResponseFields(head.map(Self.fields) ?? [])
        let reaction = running.withLock { running in
            running[dataTask.taskIdentifier]?.transfer.headArrived(
                status: head?.statusCode ?? 0, fields: fields, expectedBytes: response.expectedContentLength)
        }
        if case .stop(let failure) = reaction { stop(dataTask.taskIdentifier, because: failure) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let reaction = running.withLock { $0[dataTask.taskIdentifier]?.transfer.bodyArrived(data) }
        if case .stop(let failure) = reaction { stop(dataTask.taskIdentifier, because: failure) }
    }

    // On Linux, a 401 response with a challenge waits for credentials forever, and every reply to the challenge
    // discards the status. The body has arrived before the challenge, so the response is complete here.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        end(task.taskIdentifier, nil)
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let failure = error.map { (code: ($0 as NSError).code, text: $0.localizedDescription) }
        end(task.taskIdentifier, failure)
    }

    private static func fields(_ head: HTTPURLResponse) -> [(String, String)] {
        head.allHeaderFields.compactMap { name, value in
            guard let name = name as? String, let value = value as? String else { return nil }
            return (name, value)
        }
    }
}
