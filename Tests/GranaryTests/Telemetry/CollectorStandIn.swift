import HTTPModel
import HTTPServerTesting
import Locking
import StateCapture

/// An OTLP collector that accepts what has the JSON form of the protocol, and refuses everything else.
final class CollectorStandIn: Sendable {
    /// A received span.
    struct Span {
        let trace: String
        let id: String
        let parent: String?
        let name: String
        let attributes: [String: String]
    }

    /// What is not of the form.
    struct Malformed: Error {
        let what: String
    }

    private let state = Lock<(spans: [Span], problems: [String], fields: [HTTPFields])>(([], [], []))
    private let server: HTTPTestServer

    /// Starts a collector on a free port.
    ///
    /// - Parameter status: The status of the responses to what it accepts.
    init(status: HTTPStatus = .ok) throws {
        let state = state
        server = try HTTPTestServer { request, _ in
            do {
                let spans = try CollectorStandIn.spans(of: request)
                state.withLock { state in
                    if status == .ok { state.spans += spans }
                    state.fields.append(request.fields)
                }
                return .response(HTTPResponse(status: status, body: .bytes(Array("{}".utf8))))
            } catch {
                state.withLock { $0.problems.append("\(error)") }
                return .response(HTTPResponse(status: .badRequest))
            }
        }
    }

    /// The URL for `traces.endpoint`.
    var endpoint: String { "http://127.0.0.1:\(server.port)/v1/traces" }
    /// The received spans.
    var spans: [Span] { state.withLock { $0.spans } }
    /// Why requests were refused.
    var problems: [String] { state.withLock { $0.problems } }
    /// The fields of the requests.
    var fields: [HTTPFields] { state.withLock { $0.fields } }

    /// Returns the spans with a name.
    func spans(named name: String) -> [Span] { spans.filter { $0.name == name } }

    func stop() async { await server.shutdown() }

    private static func spans(of request: HTTPRequest) throws -> [Span] {
        guard request.method == .post, request.target == "/v1/traces",
            request.fields.value(.contentType) == "application/json"
        else { throw Malformed(what: "\(request.method.rawValue) \(request.target)") }
        let document = try StateValue(json: request.body)
        return try elements(document, "resourceSpans").flatMap { resource in
            let service = try attributes(resource["resource"] ?? .null)["service.name"]
            guard service?.isEmpty == false else { throw Malformed(what: "a resource without service.name") }
            return try elements(resource, "scopeSpans").flatMap { try elements($0, "spans").map(span) }
        }
    }

    private static func span(_ json: StateValue) throws -> Span {
        guard let trace = json["traceId"]?.text, isHexadecimal(trace, 32), let id = json["spanId"]?.text,
            isHexadecimal(id, 16), let name = json["name"]?.text, !name.isEmpty,
            case .number(let kind)? = json["kind"], (1...5).contains(Int(kind) ?? 0),
            let start = json["startTimeUnixNano"]?.text.flatMap(UInt64.init),
            let end = json["endTimeUnixNano"]?.text.flatMap(UInt64.init), 0 < start, start <= end
        else { throw Malformed(what: "a span: \(json)") }
        let parent = json["parentSpanId"]?.text
        guard parent.map({ isHexadecimal($0, 16) }) ?? (json["parentSpanId"] == nil) else {
            throw Malformed(what: "a parent: \(json)")
        }
        return Span(trace: trace, id: id, parent: parent, name: name, attributes: try attributes(json))
    }

    private static func attributes(_ json: StateValue) throws -> [String: String] {
        var found: [String: String] = [:]
        for attribute in try elements(json, "attributes") {
            guard let key = attribute["key"]?.text, case .object(let value)? = attribute["value"], value.count == 1
            else {
                throw Malformed(what: "an attribute: \(attribute)")
            }
            let number = value["intValue"]?.text.flatMap(Int64.init).map(String.init)
            guard let text = value["stringValue"]?.text ?? number else {
                throw Malformed(what: "a value: \(attribute)")
            }
            found[key] = text
        }
        return found
    }

    private static func elements(_ json: StateValue, _ name: String) throws -> [StateValue] {
        guard case .array(let elements)? = json[name] else { throw Malformed(what: "\(name) of \(json)") }
        return elements
    }

    private static func isHexadecimal(_ text: String, _ count: Int) -> Bool {
        text.utf8.count == count && text.allSatisfy { $0.isHexDigit && !$0.isUppercase } && text.contains { $0 != "0" }
    }
}
