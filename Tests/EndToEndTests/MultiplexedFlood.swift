import Foundation
import HTTPServerTesting
import Locking

/// A client that keeps hundreds of requests in flight on one HTTP/2 connection, until it is ended.
final class MultiplexedFlood: Sendable {
    /// What the client requests.
    enum Kind: CaseIterable {
        case inputs, batches, combinedStreams, newSessions, badSignatures
    }

    /// The number of requests in flight.
    static let inFlight = 900

    private let kind: Kind
    private let key: String
    private let session: String
    private let outcome = Lock<(answered: Int, error: String?)>((0, nil))
    private let isOver = Lock(false)
    private let begun = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the flood of a client with an API key.
    ///
    /// - Parameter session: The path of a session that the client has created.
    init(_ kind: Kind, port: UInt16, key: String, session: String) {
        (self.kind, self.key, self.session) = (kind, key, session)
        Thread.detachNewThread { [self] in
            do {
                try run(port)
            } catch {
                outcome.withLock { $0.error = "\(error)" }
            }
            begun.signal()
            ended.signal()
        }
    }

    /// Waits until all requests are in flight and the first ones have got a response. Returns the number of responses.
    // This client needs a second to write requests of 3 KB each.
    func answeredAtBeginning() -> Int {
        begun.wait()
        return outcome.withLock { $0.answered }
    }

    /// Ends the flood. Returns the number of responses, and the error that ended it before, if any.
    func end() -> (answered: Int, error: String?) {
        isOver.withLock { $0 = true }
        ended.wait()
        return outcome.withLock { $0 }
    }

    private func run(_ port: UInt16) throws {
        let connection = try HTTP2TestConnection(over: try HTTPTestClient(port: port))
        var open: [Int32] = []
        var number = 0
        while !isOver.withLock({ $0 }) {
            while open.count < MultiplexedFlood.inFlight {
                open.append(request(number, connection.session))
                number += 1
            }
            try connection.wait("a response to the flood") { client in
                let before = open.count
                open.removeAll { client.answers[$0]?.isClosed == true }
                return open.count < before
            }
            let isFirst = outcome.withLock { outcome in
                defer { outcome.answered = number - open.count }
                return outcome.answered == 0
            }
            if isFirst { begun.signal() }
        }
        connection.socket.close()
    }

    private func request(_ number: Int, _ client: HTTP2TestClient) -> Int32 {
        let (authorization, json) = (("authorization", "Bearer \(key)"), ("content-type", "application/json"))
        switch kind {
        case .inputs: return client.request("POST", session + "/inputs/increment", fields: [authorization])
        case .batches:
            let body = "[\(Array(repeating: #"{"input":"increment"}"#, count: 100).joined(separator: ","))]"
            return client.request("POST", session + "/inputs", fields: [authorization, json], body: Array(body.utf8))
        case .combinedStreams:
            let stream = ("accept", "text/event-stream")
            // Ids of sessions that do not exist, all of them different.
            let ids = (0..<64).map { place in
                let digits = String(number * 64 + place)
                return "session=" + String(repeating: "A", count: 21 - digits.count) + digits + "A"
            }
            return client.request("GET", "/v1/outputs?" + ids.joined(separator: "&"), fields: [authorization, stream])
        case .newSessions:
            let body = Array(#"{"machine":"counter"}"#.utf8)
            let fields = [authorization, json, ("idempotency-key", "\"\(UUID().uuidString)\"")]
            return client.request("POST", "/v1/sessions", fields: fields, body: body)
        case .badSignatures:
            return client.request("GET", session, fields: [("authorization", "Bearer \(MultiplexedFlood.token)")])
        }
    }

    /// The issuer of a token, and its public key (RFC 7517, appendix A.1).
    static let issuer = "https://id.example"
    static let keys = #"""
        {"keys":[{"kty":"EC","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
        "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM","use":"sig","alg":"ES256","kid":"1"}]}
        """#

    /// A token that nobody has signed.
    private static let token: String = {
        func encode(_ text: String) -> String {
            Data(text.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
        }
        let claims = #"{"iss":"\#(issuer)","aud":"granary","sub":"nobody","exp":4102444800}"#
        let signature = String(repeating: "s", count: 64)
        return [#"{"alg":"ES256","kid":"1","typ":"JWT"}"#, claims, signature].map(encode).joined(separator: ".")
    }()
}
