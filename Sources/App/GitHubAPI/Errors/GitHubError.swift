public import Foundation

/// The reason why a search failed, with a message that can be shown to users.
///
/// No message contains the token. Text from GitHub or the network is truncated and stripped of control characters. The JSON form
/// lets a server record the failure of a search and replay it.
public struct GitHubError: Error, Codable, Sendable {
    /// The kind of a failure. Later versions may add kinds, so a `switch` needs a `default`.
    public struct Code: Hashable, Codable, Sendable, CustomStringConvertible {
        /// The name of the code, for logs.
        public let description: String
    }

    /// The kind of failure.
    public let code: Code
    /// The expected and the received value, as a sentence.
    public let message: String
    /// The status of GitHub's response, if there was one.
    public let status: Int?
    /// The earliest time for another attempt, if it is known.
    public let retryAt: Date?

    /// Creates a failure from its parts, for search functions other than those of a ``GitHubClient``.
    public init(_ code: Code, _ message: String, status: Int? = nil, retryAt: Date? = nil) {
        self.code = code
        self.message = message
        self.status = status
        self.retryAt = retryAt
    }
}

extension GitHubError.Code {
    /// The service cannot be reached: no network, unknown host, connection refused, or no trusted certificate.
    public static let offline = Self(description: "offline")
    /// No complete response arrived within the configured time.
    public static let timedOut = Self(description: "timedOut")
    /// GitHub rejected the token (401).
    public static let unauthorized = Self(description: "unauthorized")
    /// GitHub denied access for a reason other than a rate limit (403).
    public static let forbidden = Self(description: "forbidden")
    /// A rate limit is used up until ``GitHubError/retryAt``. If the client knew the limit, it sent no request.
    public static let rateLimited = Self(description: "rateLimited")
    /// The client or GitHub (422) rejected the search as invalid.
    public static let invalidQuery = Self(description: "invalidQuery")
    /// GitHub failed (5xx).
    public static let serverFailed = Self(description: "serverFailed")
    /// The response is not JSON or has an unexpected structure.
    public static let notJSON = Self(description: "notJSON")
    /// The response ended early.
    public static let truncated = Self(description: "truncated")
    /// The response is larger than the configured limit.
    public static let tooLarge = Self(description: "tooLarge")
    /// A redirect that the client does not follow, because it leads to another origin or exceeds the maximum number of
    /// redirects.
    public static let redirected = Self(description: "redirected")
    /// A response that no other code describes.
    public static let unexpectedResponse = Self(description: "unexpectedResponse")
}

extension GitHubError: CustomStringConvertible, LocalizedError {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// The message.
    public var errorDescription: String? { message }
}

extension GitHubError: Equatable {
    /// Returns whether code, message, status and retry time of two failures are equal.
    public static func == (left: GitHubError, right: GitHubError) -> Bool {
        left.code == right.code && left.message == right.message && left.status == right.status
            && left.retryAt == right.retryAt
    }
}

extension GitHubError {
    static func invalidQuery(_ message: String, status: Int? = nil) -> GitHubError {
        GitHubError(.invalidQuery, message, status: status)
    }

    static func rateLimited(until time: Date, status: Int? = nil) -> GitHubError {
        GitHubError(
            .rateLimited, "GitHub accepts no more searches until \(ClockText.utc(time)): the rate limit is used up.",
            status: status, retryAt: time)
    }
}
