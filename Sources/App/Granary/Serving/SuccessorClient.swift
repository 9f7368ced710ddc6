import CLinux
import Foundation
import HTTPModel
import HTTPServer
import MachineHost

/// Sends requests to the server that has taken over: those that arrived while the sessions passed to it, and the next request of
/// each connection that this server still has. Without it, these requests would be refused. Each request has a connection of its own,
/// which is passed over the channel of the takeover together with what is known of the client's connection.
final class SuccessorClient: Sendable {
    /// The maximum number of requests in flight. Each has a thread that waits for the response.
    private static let concurrency = 16
    /// The maximum number of requests that wait for a thread.
    private static let maxWaiting = 4096
    /// The maximum size of a response.
    private static let maxResponseBytes = 64 << 20

    /// The time in milliseconds that the other server may be silent.
    private static let patience: Int64 = 10_000

    private let channel: Int32
    private let queue = OperationQueue()

    /// Creates a client of the server at the other end of a channel. Returns nil if no descriptor is left.
    init?(channel: Int32) {
        // The owner of the channel closes it when the other server ends.
        let own = granary_duplicate(channel, 0)
        guard own >= 0 else { return nil }
        self.channel = own
        granary_limit_waiting(own, SuccessorClient.patience)
        queue.maxConcurrentOperationCount = SuccessorClient.concurrency
    }

    deinit { granary_close(channel) }

    /// Sends a request.
    ///
    /// - Parameter received: Called on any thread with the response or the error.
    func send(
        _ request: HTTPRequest,
        _ received: @escaping @Sendable (Result<HTTPResponse, JournalWriter.ForwardingError>) -> Void
    ) {
        guard queue.operationCount < SuccessorClient.maxWaiting else { return received(.failure(.unsent)) }
        queue.addOperation { [self] in
            received(Result { () throws(JournalWriter.ForwardingError) in try response(to: request) })
        }
    }

    private func response(to request: HTTPRequest) throws(JournalWriter.ForwardingError) -> HTTPResponse {
        guard let socket = connect(as: request.peer.proxy ?? request.peer) else { throw .unsent }
        defer { granary_close(socket) }
        var unsent = SuccessorClient.bytes(of: request)[...]
        while !unsent.isEmpty {
            let sent = unsent.withUnsafeBytes { granary_send(socket, $0.baseAddress, $0.count) }
            // The other server does not perform an incomplete request.
            guard sent > 0 else { throw .unsent }
            unsent = unsent.dropFirst(sent)
        }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = granary_receive(socket, &buffer, buffer.count)
            guard count >= 0, received.count <= SuccessorClient.maxResponseBytes else { throw .unanswered }
            received += buffer[..<count]
            guard count == 0 else { continue }
            guard let response = HTTPResponse(closedBy: received, isHead: request.method == .head) else {
                throw .unanswered
            }
            return response
        }
    }

    /// Returns a connection that the other server serves as one of a peer; nil if it cannot.
    private func connect(as peer: HTTPPeer) -> Int32? {
        var (ours, theirs): (Int32, Int32) = (-1, -1)
        guard granary_socket_pair(&ours, &theirs) == 0 else { return nil }
        defer { granary_close(theirs) }
        granary_limit_waiting(ours, SuccessorClient.patience)
        if PassedConnection.begin(ours, for: peer),
            granary_send_descriptor(channel, Predecessor.request, theirs) == 0
        {
            return ours
        }
        granary_close(ours)
        return nil
    }

    /// Returns a request whose response ends with the connection, so that its content has no coding.
    static func bytes(of request: HTTPRequest) -> [UInt8] {
        let line = "\(request.method.rawValue) \(request.target) HTTP/1.0"
        var bytes = Array("\(line)\r\n".utf8)
        // HTTP/1.0 requires none, and an empty one names an invalid host.
        if !request.authority.isEmpty { bytes += "host: \(request.authority)\r\n".utf8 }
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
        // The length that the response to GET would have.
        if isHead, let length, let value = HTTPFieldValue("\(length)") { fields.append(.contentLength, value) }
        self.init(status: HTTPStatus(code), fields: fields, body: isHead ? .empty : .bytes(body))
    }
}
