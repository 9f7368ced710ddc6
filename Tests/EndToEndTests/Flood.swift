import Foundation
import HTTPModel
import HTTPServerTesting
import Locking

/// A client that floods a server with new sessions, inputs and streams, on several connections, until it is ended.
final class Flood: Sendable {
    /// What the client has received.
    struct Tally: Sendable {
        var accepted = 0
        var refused = 0
        /// The names in `RateLimit-Policy` of refused requests: what was exceeded.
        var exceeded: Set<String> = []
        /// Refusals without correct fields, and errors.
        var wrong: [String] = []
    }

    /// The time between two requests of a connection. All of them send about a thousand requests per second, several
    /// times what the rates permit. With more, the test would measure how the kernel divides the processors among server and clients.
    private static let pace = DispatchTimeInterval.milliseconds(3)

    private let port: UInt16
    private let key: String
    private let session: String
    private let tally = Lock(Tally())
    private let isOver = Lock(false)
    private let ended = DispatchGroup()

    /// Starts the flood of a client with an API key.
    ///
    /// - Parameter session: The path of a session that the client has created.
    init(port: UInt16, key: String, session: String) {
        (self.port, self.key, self.session) = (port, key, session)
        begin { [self] in try repeatOnOneConnection { creation } }
        begin { [self] in try repeatOnOneConnection { input() } }
        // The server remembers the key and the response of each of them.
        begin { [self] in
            try repeatOnOneConnection { input("Idempotency-Key: \"\(UUID().uuidString)\"\r\n") }
        }
        begin { [self] in try openStreams() }
    }

    /// What was received until now.
    var current: Tally { tally.withLock { $0 } }

    /// Ends the flood and returns what was received.
    func end() -> Tally {
        isOver.withLock { $0 = true }
        ended.wait()
        return current
    }

    private var creation: String {
        let body = #"{"machine":"counter"}"#
        return "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(key)\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private func input(_ fields: String = "") -> String {
        "POST \(session)/inputs/increment HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(key)\r\n"
            + "\(fields)Content-Length: 0\r\n\r\n"
    }

    private var stream: String {
        "GET \(session)/outputs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(key)\r\n"
            + "Accept: text/event-stream\r\nPrefer: status\r\n\r\n"
    }

    private func begin(_ work: @escaping @Sendable () throws -> Void) {
        ended.enter()
        Thread.detachNewThread { [self] in
            do {
                try work()
            } catch {
                tally.withLock { $0.wrong.append("\(error)") }
            }
            ended.leave()
        }
    }

    private func repeatOnOneConnection(_ request: () -> String) throws {
        let client = try HTTPTestClient(port: port)
        while wait() {
            try client.send(request())
            note(try client.receiveResponse())
        }
    }

    /// Opens streams, each on its own connection, and keeps those that the server accepts.
    private func openStreams() throws {
        var open: [HTTPTestClient] = []
        while wait() {
            let client = try HTTPTestClient(port: port)
            try client.send(stream)
            let head = try client.receiveHead()
            note(head)
            if head.status == 200 { open.append(client) } else { client.close() }
            // One of several streams ends now and then, so that further ones are accepted and refused.
            if open.count > 8 { open.removeFirst().close() }
        }
        for client in open { client.close() }
    }

    /// Waits until the next request. Returns whether there is one.
    private func wait() -> Bool {
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + Flood.pace)
        return !isOver.withLock { $0 }
    }

    private func note(_ response: HTTPTestResponse) {
        let problem = Flood.problem(response)
        tally.withLock { tally in
            if response.status < 300 { tally.accepted += 1 }
            if response.status == 429 {
                tally.refused += 1
                if let name = Flood.name(response, "ratelimit-policy") { tally.exceeded.insert(name) }
            }
            if let problem, tally.wrong.count < 10 { tally.wrong.append(problem) }
        }
    }

    private static func name(_ response: HTTPTestResponse, _ field: HTTPFieldName) -> String? {
        guard let value = response.fields.value(field), value.first == "\"" else { return nil }
        return value.dropFirst().split(separator: "\"").first.map(String.init)
    }

    /// Returns what is wrong with a response; nil if nothing is.
    private static func problem(_ response: HTTPTestResponse) -> String? {
        guard response.status != 429 else {
            let wait = response.fields.value("retry-after").flatMap { Int($0) } ?? 0
            guard (1...60).contains(wait) else {
                return "Retry-After: \(response.fields.value("retry-after") ?? "none")"
            }
            let (policy, state) = (
                response.fields.value("ratelimit-policy") ?? "", response.fields.value("ratelimit") ?? ""
            )
            guard policy.contains(/^"[a-z-]+";q=[1-9][0-9]*(;w=[1-9][0-9]*|;qu="[a-z-]+")?(, |$)/),
                state.contains(/^"[a-z-]+";r=0(;t=[1-9][0-9]*)?(, |$)/),
                name(response, "ratelimit-policy") == name(response, "ratelimit")
            else { return "RateLimit-Policy: \(policy), RateLimit: \(state)" }
            return nil
        }
        return response.status < 300 ? nil : "status \(response.status): \(response.text.prefix(200))"
    }
}
