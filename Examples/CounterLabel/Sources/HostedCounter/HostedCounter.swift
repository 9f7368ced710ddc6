import Foundation
import FoundationNetworking

/// A client of a session of the machine `counter`.
public struct HostedCounter: Sendable {
    /// An error response of the server.
    public struct Refusal: Error, CustomStringConvertible {
        /// The method and the path of the request.
        public let request: String
        /// The status code, or 0 if there was no response.
        public let status: Int

        /// The request and the status code.
        public var description: String { "\(request): expected a status of 2xx, got \(status)" }
    }

    private let session: URL

    /// Creates a session.
    public init(on server: URL) async throws {
        var request = URLRequest(url: server.appending(path: "v1/sessions"))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(#"{"machine":"counter"}"#.utf8)
        let response = try await Self.send(request)
        guard let path = response.value(forHTTPHeaderField: "Location"), let url = URL(string: path, relativeTo: server)
        else { throw Refusal(request: "POST /v1/sessions", status: response.statusCode) }
        session = url.absoluteURL
    }

    /// Increments the count.
    public func increment() async throws {
        var request = URLRequest(url: session.appending(path: "inputs/increment"))
        request.httpMethod = "POST"
        _ = try await Self.send(request)
    }

    /// Deletes the session, which also ends the stream of counts.
    public func end() async throws {
        var request = URLRequest(url: session)
        request.httpMethod = "DELETE"
        _ = try await Self.send(request)
    }

    /// The current count, followed by each change. The sequence ends with the session.
    ///
    /// The stream is requested immediately and stopped when the sequence is no longer iterated.
    public var counts: AsyncThrowingStream<Int, any Error> {
        AsyncThrowingStream { continuation in
            let events = EventStream(of: session.appending(path: "outputs")) { result in
                switch result {
                case .success(let event):
                    let outputs = try? JSONDecoder().decode(Outputs.self, from: Data(event.data.utf8))
                    if let count = outputs?.count { continuation.yield(count) }
                case .failure(let end): continuation.finish(throwing: end.error)
                }
            }
            continuation.onTermination = { _ in events.stop() }
        }
    }

    /// The relevant part of a snapshot or a change.
    private struct Outputs: Decodable {
        let count: Int?
    }

    private static func send(_ request: URLRequest) async throws -> HTTPURLResponse {
        let (_, response) = try await URLSession.shared.data(for: request)
        guard let answer = response as? HTTPURLResponse, 200..<300 ~= answer.statusCode else {
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            throw Refusal(request: "\(request.httpMethod ?? "GET") \(request.url?.path ?? "")", status: status)
        }
        return answer
    }
}
