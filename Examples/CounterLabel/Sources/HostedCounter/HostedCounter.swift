import Foundation
import FoundationNetworking

/// A session of the machine `counter` on a server.
public struct HostedCounter: Sendable {
    /// What the server answered instead of what was asked for.
    public struct Refusal: Error, CustomStringConvertible {
        /// The method and the address that were asked.
        public let request: String
        /// The status, or 0 if there was none.
        public let status: Int

        /// One sentence.
        public var description: String { "\(request) was answered with \(status)" }
    }

    private let session: URL

    /// Makes a session.
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

    /// Counts one up.
    public func increment() async throws {
        var request = URLRequest(url: session.appending(path: "inputs/increment"))
        request.httpMethod = "POST"
        _ = try await Self.send(request)
    }

    /// Ends the session, and with it the stream of counts.
    public func end() async throws {
        var request = URLRequest(url: session)
        request.httpMethod = "DELETE"
        _ = try await Self.send(request)
    }

    /// The count as it is, and then each time that it changes; ends with the session. The stream is asked for at once, and
    /// left when the sequence is.
    public var counts: AsyncThrowingStream<Int, any Error> {
        AsyncThrowingStream { continuation in
            let events = EventStream(of: session.appending(path: "outputs")) { result in
                switch result {
                case .success(let event):
                    let shown = try? JSONDecoder().decode(Shown.self, from: Data(event.data.utf8))
                    if let count = shown?.count { continuation.yield(count) }
                case .failure(let end): continuation.finish(throwing: end.error)
                }
            }
            continuation.onTermination = { _ in events.stop() }
        }
    }

    /// What a snapshot or a change says, as far as it is of interest here.
    private struct Shown: Decodable {
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
