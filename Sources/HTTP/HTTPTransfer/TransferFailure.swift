/// The reason why a response is incomplete or does not exist. The texts are those of libcurl and can contain text of the peer.
package enum TransferFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The request cannot be sent in this form.
    case invalidRequest(String)
    /// No connection to the server, or to the proxy, exists: it cannot be found, does not accept connections, or has no certificate
    /// that the system trusts.
    case unreachable(String)
    /// The response is not an HTTP response.
    case notHTTP(String)
    /// The connection ended before the response was complete.
    case cutOff(hasHead: Bool, String)
    /// The head or the content exceeds its limit, in bytes.
    case tooLarge(limit: Int)
    /// The response exceeded a timeout.
    case timedOut
    case cancelled

    /// Whether the request certainly has not reached a server.
    package var isUnsent: Bool {
        switch self {
        case .invalidRequest, .unreachable: true
        case .notHTTP, .cutOff, .tooLarge, .timedOut, .cancelled: false
        }
    }

    /// The reason, as a part of a sentence.
    package var description: String {
        switch self {
        case .invalidRequest(let text), .unreachable(let text): text
        case .notHTTP(let text): "expected an HTTP response, got something else: \(text)"
        case .cutOff(hasHead: false, let text): "the connection closed before the response began: \(text)"
        case .cutOff(hasHead: true, let text): "the connection closed before the response was complete: \(text)"
        case .tooLarge(let limit): "more than \(limit) bytes"
        case .timedOut: "no complete response in time"
        case .cancelled: "the request was cancelled"
        }
    }
}
