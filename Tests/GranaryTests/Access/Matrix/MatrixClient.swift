import HTTPModel
import HTTPServer
import HTTPServerTesting

/// A client of a matrix server, which uses one version of HTTP and reuses its connection.
final class MatrixClient {
    /// A response.
    struct Answer: Equatable {
        var status: Int
        var fields: HTTPFields
        var text: String

        /// What does not vary: all but the date, the rest of a rate, and the framing of HTTP/1.1.
        var lasting: String {
            var fields = fields
            for name in [HTTPFieldName.date, "ratelimit", .transferEncoding, .connection, .contentLength] {
                fields[name] = nil
            }
            return "\(status) \(fields.lines) \(text)"
        }

        /// The kind of a problem; empty if it is none.
        var kind: String {
            guard fields.value(.contentType) == "application/problem+json",
                let start = text.firstRange(of: "/problems/")?.upperBound
            else { return "" }
            return String(text[start...].prefix { $0 != "\"" })
        }
    }

    typealias Fields = [(String, String)]

    let version: ServedRoutes.Version
    private let listener: HTTPListener
    private let options: TLSTestOptions
    private let socket: HTTPTestClient
    private let multiplexed: HTTP2TestConnection?

    init(_ version: ServedRoutes.Version, to listener: HTTPListener, certificate: MatrixCertificate? = nil) throws {
        self.version = version
        self.listener = listener
        options = MatrixClient.options(version, certificate)
        socket = try MatrixClient.connect(listener, options)
        multiplexed = version == .http2 ? try HTTP2TestConnection(over: socket) : nil
    }

    /// Returns the TLS options of a client that offers one version of HTTP.
    static func options(_ version: ServedRoutes.Version, _ certificate: MatrixCertificate?) -> TLSTestOptions {
        var options = TLSTestOptions(protocols: [version == .http2 ? "h2" : "http/1.1"])
        options.certificate = certificate.map { ($0.chain, $0.privateKey) }
        return options
    }

    private static func connect(_ listener: HTTPListener, _ options: TLSTestOptions) throws -> HTTPTestClient {
        guard case .address(let host, let port) = listener.place else { throw HTTPTestError("expected a TCP listener") }
        let socket = try HTTPTestClient(port: port, host: host)
        if listener.isSecure { try socket.beginTLS(options) }
        return socket
    }

    private var scheme: String { listener.isSecure ? "https" : "http" }

    /// Sends a request and waits for the complete response.
    func send(_ method: String, _ path: String, _ fields: Fields = [], body: String? = nil) throws -> Answer {
        let fields = fields + (body == nil ? [] : [("content-type", "application/json")])
        let bytes = body.map { Array($0.utf8) }
        if let multiplexed {
            let stream = multiplexed.session.request(method, path, scheme: scheme, fields: fields, body: bytes)
            try multiplexed.wait("the response to \(method) \(path)") { $0.answers[stream]?.isClosed == true }
            guard let answer = multiplexed.session.answers[stream] else { throw HTTPTestError("no stream") }
            return Answer(status: answer.status ?? 0, fields: answer.fields, text: answer.text)
        }
        try socket.send(head(method, path, fields, length: bytes?.count) + (body ?? ""))
        let response = try socket.receiveResponse(toHead: method == "HEAD")
        return Answer(status: response.status, fields: response.fields, text: response.text)
    }

    private func head(_ method: String, _ path: String, _ fields: Fields, length: Int? = nil) -> String {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost"] + fields.map { "\($0.0): \($0.1)" }
        if let length { lines.append("Content-Length: \(length)") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// Opens a stream, and returns its status and first event.
    func firstEvent(of path: String, _ fields: Fields) throws -> (status: Int, event: ServerSentEvent?) {
        let fields = fields + [("accept", "text/event-stream")]
        guard let multiplexed else {
            let socket = try MatrixClient.connect(listener, options)
            defer { socket.close() }
            try socket.send(head("GET", path, fields))
            let status = try socket.receiveHead().status
            return (status, status == 200 ? try socket.receiveEvents(1).first : nil)
        }
        let stream = multiplexed.session.request("GET", path, scheme: scheme, fields: fields)
        var event: ServerSentEvent?
        try multiplexed.wait("the first event of \(path)") { session in
            var parser = EventStreamParser()
            event = parser.receive((session.answers[stream]?.body ?? [])[...]).first
            return event != nil || session.answers[stream]?.isClosed == true
        }
        let status = multiplexed.session.answers[stream]?.status ?? 0
        multiplexed.session.cancel(stream)
        try multiplexed.send()
        return (status, event)
    }

    func close() { socket.close() }
}

extension HTTPFields {
    /// The names and values, in order.
    var lines: String {
        var lines = ""
        forEach { name, value in
            lines += "\(String(decoding: name, as: UTF8.self)): \(String(decoding: value, as: UTF8.self)); "
        }
        return lines
    }
}
