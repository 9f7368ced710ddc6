import Foundation
import FoundationNetworking
import Locking

/// The requests that are under way, and the delegate that hears of them. Whoever takes a transfer out of the table
/// reports its end, so that of an answer, a cancellation and a deadline that meet only one is reported.
final class Transfers: NSObject, URLSessionDataDelegate {
    private struct Running {
        var task: URLSessionTask
        var transfer: Transfer
        var finish: @Sendable (Result<Answer, TransferFailure>) -> Void
    }

    private let running = Lock<[Int: Running]>([:])

    /// Notes a task that is about to be resumed.
    func begin(
        _ task: URLSessionTask, _ transfer: Transfer,
        finish: @escaping @Sendable (Result<Answer, TransferFailure>) -> Void
    ) {
        running.withLock { $0[task.taskIdentifier] = Running(task: task, transfer: transfer, finish: finish) }
    }

    /// Ends the task of that number if it is still under way.
    func stop(_ number: Int, because failure: TransferFailure) {
        guard let ended = take(number) else { return }
        ended.task.cancel()
        ended.finish(.failure(failure))
    }

    private func take(_ number: Int) -> Running? {
        running.withLock { $0.removeValue(forKey: number) }
    }

    /// Ends a task with what has come of its answer.
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
        let fields = AnswerFields(head.map(Self.fields) ?? [])
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

    /// A 401 with a challenge would wait for credentials for ever on Linux, and every answer to the challenge loses
    /// the status. The body has arrived when the challenge comes, so the answer is complete here.
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
