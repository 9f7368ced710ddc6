import HTTPModel
import JournalTesting
import StateCapture

/// A request of a simulated client. It is sent again until the client knows the outcome, if it has a key.
struct SimulatedRequest {
    enum Kind {
        case create
        /// An input or a batch.
        case input
        /// A batch whose last input is refused after the others have run.
        case partialBatch
        case refusedInput
        /// An input whose mark appears in a later turn, so that a crash may lose it.
        case delayedInput
        case failingInput
        case readSession
        case readOutputs
        case stream
        case delete
    }

    var kind: Kind
    var method: HTTPMethod
    var target: String
    var body: String?
    var key: String?
    /// The name of the session that the request finds or creates.
    var name: String?
    var marks: [String] = []
    /// The position from which a stream resumes.
    var lastEventID: String?
    /// When the request was sent for the first time, in nanoseconds since 1970.
    var firstSent: Int64?
    /// The version that the response must show at least.
    var floor: UInt64 = 0

    /// The request as the host receives it.
    var http: HTTPRequest {
        var fields: HTTPFields = body == nil ? [:] : [.contentType: "application/json"]
        if kind == .stream { fields.append(.accept, "text/event-stream") }
        if let key, let value = HTTPFieldValue(key) { fields.append(.idempotencyKey, value) }
        if let lastEventID, let value = HTTPFieldValue(lastEventID) { fields.append(.lastEventID, value) }
        return HTTPRequest(
            method: method, target: target, fields: fields, body: Array((body ?? "").utf8), peer: .unknown)
    }

    /// Returns a random request for a session.
    static func random(
        in session: String, mark: () -> String, key: () -> String, _ random: inout SeededGenerator
    ) -> SimulatedRequest {
        func post(_ kind: Kind, _ input: String, _ marks: [String], keyed: Bool) -> SimulatedRequest {
            SimulatedRequest(
                kind: kind, method: .post, target: "\(session)/inputs/\(input)", body: "\"\(marks.first ?? "x")\"",
                key: keyed ? key() : nil, marks: marks)
        }
        func batch(_ kind: Kind, _ marks: [String], and rest: String = "") -> SimulatedRequest {
            let inputs = marks.map { "{\"input\":\"note\",\"value\":\"\($0)\"}" }.joined(separator: ",")
            return SimulatedRequest(
                kind: kind, method: .post, target: session + "/inputs", body: "[\(inputs)\(rest)]", key: key(),
                marks: marks)
        }
        switch Int.random(in: 0..<100, using: &random) {
        case ..<38: return post(.input, "note", [mark()], keyed: true)
        case ..<46: return post(.input, "note", [mark()], keyed: false)
        case ..<52: return post(.input, "long", [mark()], keyed: true)
        case ..<62: return batch(.input, [mark(), mark()])
        case ..<66: return batch(.partialBatch, [mark()], and: ",{\"input\":\"refuse\",\"value\":\"x\"}")
        case ..<69: return post(.refusedInput, "refuse", [mark()], keyed: true)
        case ..<73: return post(.delayedInput, Bool.random(using: &random) ? "later" : "soon", [mark()], keyed: true)
        case ..<76: return post(.input, "nothing", [], keyed: true)
        case ..<77: return post(.failingInput, "fail", [], keyed: true)
        case ..<86: return SimulatedRequest(kind: .readSession, method: .get, target: session)
        case ..<97: return SimulatedRequest(kind: .readOutputs, method: .get, target: session + "/outputs")
        default: return SimulatedRequest(kind: .delete, method: .delete, target: session)
        }
    }
}
