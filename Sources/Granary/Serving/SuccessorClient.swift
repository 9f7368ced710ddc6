import CLinux
import Foundation
import HTTPModel
import HTTPServer
import MachineHost

/// Sends requests to the server that has taken over: those that arrived while the sessions passed to it, and the next request of
/// each connection that this server still has. Without it, these requests would be refused.
final class SuccessorClient: Sendable {
    /// The maximum number of requests in flight. Each has a thread that waits for the response.
    private static let concurrency = 16
    /// The maximum number of requests that wait for a thread.
    private static let mostWaiting = 4096
    /// The maximum size of a response.
    private static let largestResponse = 64 << 20

    /// The time in milliseconds that the other server may be silent.
    private static let patience: Int64 = 10_000

    private let listener: HTTPListener
    private let queue = OperationQueue()

    /// Creates a client of the first public listener that accepts requests as this server received them. Returns nil if there is
    /// none, for example because all use TLS.
    init?(_ configuration: Configuration, listeners: [HTTPListener]) {
        // A proxy's header would be expected from this client, too.
        guard configuration.server.proxies.isEmpty, !configuration.tls.redirectsCleartext,
            let listener = listeners.first(where: { $0.role == .public && !$0.isSecure })
        else { return nil }
        self.listener = listener
        queue.maxConcurrentOperationCount = SuccessorClient.concurrency
    }

    /// Sends a request.
    ///
    /// - Parameter received: Receives the response on any thread; nil if there was none.
    func send(_ request: HTTPRequest, _ received: @escaping @Sendable (HTTPResponse?) -> Void) {
        guard queue.operationCount < SuccessorClient.mostWaiting else { return received(nil) }
        queue.addOperation { [listener] in received(SuccessorClient.response(to: request, from: listener)) }
    }

    private static func response(to request: HTTPRequest, from listener: HTTPListener) -> HTTPResponse? {
        let socket = connect(to: listener)
        guard socket >= 0 else { return nil }
        defer { granary_close(socket) }
        granary_limit_waiting(socket, patience)
        var unsent = bytes(of: request)[...]
        while !unsent.isEmpty {
            let sent = unsent.withUnsafeBytes { granary_send(socket, $0.baseAddress, $0.count) }
            guard sent > 0 else { return nil }
            unsent = unsent.dropFirst(sent)
        }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = granary_receive(socket, &buffer, buffer.count)
            guard count >= 0, received.count <= largestResponse else { return nil }
            if count == 0 { return HTTPResponse(closedBy: received, isHead: request.method == .head) }
            received += buffer[..<count]
        }
    }

    private static func connect(to listener: HTTPListener) -> Int32 {
        guard case .address(let host, let port) = listener.place else {
            return granary_connect_unix(listener.address.host)
        }
        // A server that listens on all addresses also does on the loopback address.
        let target = host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host
        return granary_connect(target, port, 0)
    }

    /// Returns a request whose response ends with the connection, so that its content has no coding.
    static func bytes(of request: HTTPRequest) -> [UInt8] {
        let line = "\(request.method.rawValue) \(request.target) HTTP/1.0"
        var bytes = Array("\(line)\r\nhost: \(request.authority)\r\n".utf8)
        request.fields.forEach { name, value in
            // This server encodes the response for its client.
            guard !ConnectionFields.contains(name), !name.elementsEqual("accept-encoding".utf8) else { return }
            bytes += name
            bytes += ": ".utf8
            bytes += value
            bytes += "\r\n".utf8
        }
        if !request.body.isEmpty || request.method == .post {
            bytes += "content-length: \(request.body.count)\r\n".utf8
        }
        bytes += "\r\n".utf8
        return bytes + request.body
    }
}

/// The fields that describe a connection or a message's length, not its content.
private enum ConnectionFields {
    private static let names = [
        "connection", "content-length", "date", "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding",
        "upgrade",
    ]

    static func contains(_ name: UnsafeRawBufferPointer) -> Bool { names.contains { name.elementsEqual($0.utf8) } }
}

extension HTTPResponse {
    /// Reads a response that ended with its connection. Returns nil if it is incomplete.
    ///
    /// - Parameter isHead: Whether the request was `HEAD`, whose response has no content.
    init?(closedBy bytes: [UInt8], isHead: Bool = false) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.lowerBound else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ", maxSplits: 2) ?? []
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let code = UInt16(words[1]),
            100...999 ~= code
        else { return nil }
        var fields = HTTPFields()
        var length: Int?
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let name = line[..<colon].lowercased()
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            if name == "content-length" { length = Int(value) }
            let isKept = name.utf8.withContiguousStorageIfAvailable {
                !ConnectionFields.contains(UnsafeRawBufferPointer($0))
            }
            guard isKept == true, let name = HTTPFieldName(name), let value = HTTPFieldValue(String(value)) else {
                continue
            }
            fields.append(name, value)
        }
        let body = Array(bytes[(end + 4)...])
        guard length == nil || isHead || length == body.count else { return nil }
        self.init(status: HTTPStatus(code), fields: fields, body: .bytes(body))
    }
}
