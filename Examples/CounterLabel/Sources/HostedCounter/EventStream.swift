import Foundation
import FoundationNetworking
import HTTPModel
import Synchronization

/// A client of an event stream that reports each event until the stream ends or is stopped.
final class EventStream: NSObject, URLSessionDataDelegate, Sendable {
    /// The end of the stream, with an error unless the server ended it.
    struct End: Error {
        let error: (any Error)?
    }

    private let report: @Sendable (Result<ServerSentEvent, End>) -> Void
    private let parser = Mutex(EventStreamParser())
    private let task = Mutex<URLSessionDataTask?>(nil)

    /// Starts to follow the stream. `report` is called on the session's serial queue.
    init(of address: URL, report: @escaping @Sendable (Result<ServerSentEvent, End>) -> Void) {
        self.report = report
        super.init()
        var request = URLRequest(url: address)
        request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        request.timeoutInterval = 3600
        let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
        let task = session.dataTask(with: request)
        self.task.withLock { $0 = task }
        task.resume()
        // The session retains its delegate until it is invalidated.
        session.finishTasksAndInvalidate()
    }

    /// Stops following the stream.
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
            report(.failure(End(error: refusal)))
        }
        completionHandler(status == 200 ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let events = parser.withLock { $0.receive(data) }
        for event in events { report(.success(event)) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        report(.failure(End(error: error)))
        self.task.withLock { $0 = nil }
    }
}
