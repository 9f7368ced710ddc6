import HTTPModel
import HTTPServer
import HTTPServerTesting

extension HTTPTestWire {
    /// Creates a server that supports all combinations of HTTP version and TLS.
    static func server(
        compression: HTTPServerCompression? = HTTPServerCompression(),
        placement: @escaping @Sendable (HTTPRequest) -> Int? = { _ in nil }, respond: @escaping HTTPTestServer.Respond
    ) throws -> HTTPTestServer {
        var secured = HTTPServerConfiguration()
        try configure(&secured)
        let tls = secured.tls
        return try HTTPTestServer(
            configure: { configuration in
                configuration.tls = tls
                configuration.compression = compression
            }, placement: placement, respond: respond)
    }

    /// Returns a client that inspects the content of such a server.
    func contentClient(of server: HTTPTestServer) throws -> ContentClient {
        let socket = try open(server)
        if isSecure { try socket.beginTLS(TLSTestOptions(protocols: [isMultiplexed ? "h2" : "http/1.1"])) }
        return ContentClient(
            socket: socket, multiplexed: isMultiplexed ? try HTTP2TestConnection(over: socket) : nil)
    }
}

/// The response to a request.
struct ContentAnswer {
    var status: Int
    var fields: HTTPFields
    var body: [UInt8]
    var trailers = HTTPFields()

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The fields without those that change each second.
    var lastingFields: HTTPFields {
        var fields = fields
        fields[.date] = nil
        return fields
    }
}

/// A client that receives content as it is sent, without chunks and frames. It sends one request at a time.
final class ContentClient {
    private let socket: HTTPTestClient
    private let multiplexed: HTTP2TestConnection?
    private var stream: Int32 = 0
    private var taken = 0
    /// Bytes of incomplete chunks.
    private var chunks: [UInt8] = []

    init(socket: HTTPTestClient, multiplexed: HTTP2TestConnection?) {
        self.socket = socket
        self.multiplexed = multiplexed
    }

    /// Closes the connection, so that the server does not wait for it.
    func close() { socket.close() }

    /// Sends a request and waits for the complete response. A body with trailers is sent in chunks.
    func ask(
        _ method: String = "GET", _ path: String = "/", _ fields: [(String, String)] = [], body: [UInt8]? = nil,
        trailers: [(String, String)] = []
    ) throws -> ContentAnswer {
        if let multiplexed {
            let stream = multiplexed.session.request(method, path, fields: fields, body: body, trailers: trailers)
            try multiplexed.wait("the answer to \(method) \(path)") { $0.answers[stream]?.isClosed == true }
            guard let answer = multiplexed.session.answers[stream], let status = answer.status else {
                throw HTTPTestError("expected a response to \(method) \(path), got none")
            }
            return ContentAnswer(
                status: status, fields: answer.fields, body: answer.body, trailers: answer.trailers)
        }
        try socket.send(head(method, path, fields + framing(body, trailers)) + framed(body ?? [], trailers))
        let response = try socket.receiveResponse(toHead: method == "HEAD")
        return ContentAnswer(status: response.status, fields: response.fields, body: response.body)
    }

    /// Requests a stream and waits for the head of the response.
    func follow(_ path: String, _ fields: [(String, String)] = []) throws -> HTTPFields {
        guard let multiplexed else {
            try socket.send(head("GET", path, fields))
            return try socket.receiveHead().fields
        }
        stream = multiplexed.session.request("GET", path, fields: fields)
        try multiplexed.wait("the head of \(path)") { $0.answers[stream]?.status != nil }
        return multiplexed.session.answers[stream]?.fields ?? HTTPFields()
    }

    /// Waits for the next content of that stream.
    func content() throws -> [UInt8] {
        guard let multiplexed else {
            var content: [UInt8] = []
            while content.isEmpty {
                chunks += try socket.receiveSome(what: "a chunk")
                while let chunk = try takeChunk() { content += chunk }
            }
            return content
        }
        try multiplexed.wait("content") { ($0.answers[stream]?.body.count ?? 0) > taken }
        let body = multiplexed.session.answers[stream]?.body ?? []
        defer { taken = body.count }
        return Array(body[taken...])
    }

    private func takeChunk() throws -> ArraySlice<UInt8>? {
        guard let end = chunks.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let size = Int(String(decoding: chunks[..<end].dropLast(), as: UTF8.self), radix: 16)
        guard let size, size > 0 else { throw HTTPTestError("expected more content, but the stream has ended") }
        guard chunks.count >= end + 1 + size + 2 else { return nil }
        defer { chunks.removeFirst(end + 1 + size + 2) }
        return chunks[(end + 1)..<(end + 1 + size)]
    }

    private func head(_ method: String, _ path: String, _ fields: [(String, String)]) -> [UInt8] {
        let lines = ["\(method) \(path) HTTP/1.1", "Host: localhost"] + fields.map { "\($0.0): \($0.1)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private func framing(_ body: [UInt8]?, _ trailers: [(String, String)]) -> [(String, String)] {
        guard trailers.isEmpty else { return [("Transfer-Encoding", "chunked")] }
        return body.map { [("Content-Length", String($0.count))] } ?? []
    }

    private func framed(_ body: [UInt8], _ trailers: [(String, String)]) -> [UInt8] {
        guard !trailers.isEmpty else { return body }
        let lines = trailers.map { "\($0.0): \($0.1)\r\n" }.joined()
        return Array("\(String(body.count, radix: 16))\r\n".utf8) + body + Array("\r\n0\r\n\(lines)\r\n".utf8)
    }
}
