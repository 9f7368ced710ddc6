public import Foundation

/// Sends requests. The client's transports are `CurlTransport` on Linux and `URLSessionTransport` on Apple's platforms;
/// tests have their own.
@MainActor
public protocol ClientTransport: AnyObject {
    /// Starts a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - receive: Receives the head of the response, its bytes and its end, in this order and on the main actor. A failure
    ///     can take the place of any of them and is the last event. Called after `start` has returned, and not after the
    ///     exchange was cancelled.
    func start(
        _ request: ClientRequest, _ receive: @escaping @MainActor (TransportEvent) -> Void
    ) -> any TransportExchange
}

/// A request and its response, while they are in progress.
public protocol TransportExchange: AnyObject, Sendable {
    /// Abandons the request. May be called from any thread and more than once.
    func cancel()
}

/// A request.
public struct ClientRequest: Equatable, Sendable {
    /// The method, such as `POST`.
    public var method: String
    /// The URL.
    public var url: URL
    /// The header fields, with names in lower case.
    public var fields: [String: String]
    /// The content; nil if none exists.
    public var body: [UInt8]?

    /// Creates a request from its parts.
    public init(method: String, url: URL, fields: [String: String] = [:], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }
}

/// An event of a request.
public enum TransportEvent: Equatable, Sendable {
    /// The head of the response, with the names of the fields in lower case.
    case head(status: Int, fields: [String: String])
    /// Bytes of the content.
    case bytes([UInt8])
    /// The end of the response. Whether it is complete is for the receiver to find out: connections that are cut can look
    /// like this.
    case finished
    /// The request or its response was lost.
    case failed(TransportFailure)
}

/// The loss of a request or its response.
public struct TransportFailure: Error, Equatable, Sendable {
    /// A description of the failure, for messages.
    public var detail: String
    /// Whether the request certainly has not reached the server, for example because nothing accepts connections there.
    public var isUnsent: Bool

    /// Creates a failure.
    public init(_ detail: String, isUnsent: Bool = false) {
        self.detail = detail
        self.isUnsent = isUnsent
    }
}
