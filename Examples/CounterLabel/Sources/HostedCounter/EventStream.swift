import Foundation
import FoundationNetworking
import HTTPModel
import Synchronization

/// Follows an event stream and tells each event, until the stream ends or is left.
final class EventStream: NSObject, URLSessionDataDelegate, Sendable {
    /// The stream is over: with an error, or because the server has said all.
    struct End: Error {
        let error: (any Error)?
    }

    private let tell: @Sendable (Result<ServerSentEvent, End>) -> Void
    private let parser = Mutex(EventStreamParser())
    private let task = Mutex<URLSessionDataTask?>(nil)

    /// Begins to follow. `tell` is called on a queue of its own, one call at a time.
    init(of address: URL, tell: @escaping @Sendable (Result<ServerSentEvent, End>) -> Void) {
        self.tell = tell
        super.init()
        var request = URLRequest(url: address)
        request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        request.timeoutInterval = 3600
        let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
        let task = session.dataTask(with: request)
        self.task.withLock { $0 = task }
        task.resume()
        // Lets go of the delegate when the task is over.
        session.finishTasksAndInvalidate()
    }

    /// Leaves the stream.
    func stop() {
        task.withLock { $0 }?.cancel()
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if status != 200 {
            let refusal = HostedCounter.Refusal(request: "GET \(response.url?.path ?? "")", status: status)
            tell(.failure(End(error: refusal)))
        }
        completionHandler(status == 200 ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let events = parser.withLock { $0.receive(data) }
        for event in events { tell(.success(event)) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        tell(.failure(End(error: error)))
        self.task.withLock { $0 = nil }
    }
}
