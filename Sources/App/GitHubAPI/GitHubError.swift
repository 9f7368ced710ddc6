public import Foundation
import HTTPTransfer

/// The reason why a search failed, with a message that can be shown to users.
///
/// No message contains the token. Text from GitHub or the network is truncated and stripped of control characters. The JSON form
/// lets a server record the failure of a search and replay it.
public struct GitHubError: Error, Equatable, Codable, Sendable, CustomStringConvertible {
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

    /// Creates a failure from its parts, also for search functions other than those of a ``GitHubClient``.
    public init(_ code: Code, _ message: String, status: Int? = nil, retryAt: Date? = nil) {
        (self.code, self.message, self.status, self.retryAt) = (code, message, status, retryAt)
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}

extension GitHubError.Code {
    /// No complete response: the service cannot be reached or has no trusted certificate, it exceeded a timeout, or the response ended early
    /// or exceeds the limit.
    public static let offline = Self("offline"), timedOut = Self("timedOut"), truncated = Self("truncated"),
        tooLarge = Self("tooLarge")
    /// GitHub rejected the token (401), denied access for a reason other than a rate limit (403), or failed (5xx).
    public static let unauthorized = Self("unauthorized"), forbidden = Self("forbidden"),
        serverFailed = Self("serverFailed")
    /// A rate limit is used up until ``GitHubError/retryAt``. If the client knew the limit, it sent no request.
    public static let rateLimited = Self("rateLimited")
    /// The client or GitHub (422) rejected the search as invalid.
    public static let invalidQuery = Self("invalidQuery")
    /// The response is not JSON of the expected structure, a redirect to another origin or one too many, or something else.
    public static let notJSON = Self("notJSON"), redirected = Self("redirected"),
        unexpectedResponse = Self("unexpectedResponse")

    private init(_ description: String) { self.description = description }
}

extension GitHubError {
    static func rateLimited(until time: Date, status: Int? = nil) -> GitHubError {
        // Rounded up, so that a client that retries then is not too early. In UTC, because the reader's time zone is unknown.
        let second = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.up))
        let clock = second.formatted(.iso8601.time(includingFractionalSeconds: false))
        return GitHubError(
            .rateLimited, "GitHub accepts no more searches until \(clock) UTC: the rate limit is used up.",
            status: status, retryAt: time)
    }

    /// Creates the error for users that a failed transfer causes.
    init(_ failure: TransferFailure, host: String) {
        switch failure {
        case .cancelled: self.init(.timedOut, "The search was cancelled.")
        case .timedOut: self.init(.timedOut, "GitHub (\(host)) did not respond in time.")
        case .tooLarge(let limit): self.init(.tooLarge, "GitHub's response exceeds the limit of \(limit) bytes.")
        case .cutOff(let hasHead, _):
            let part = hasHead ? "was complete" : "began"
            self.init(.truncated, "The connection closed before GitHub's response \(part).")
        case .notHTTP: self.init(.unexpectedResponse, "The service at \(host) does not speak HTTP.")
        case .unreachable(let text), .invalidRequest(let text):
            self.init(.offline, "GitHub (\(host)) cannot be reached: \(text.shown).")
        }
    }
}

extension String {
    /// The text of another party for a message: on one line, without controls, also of bidirectional text, and of at most 200 characters.
    var shown: String {
        let beginning = prefix(200).map { character in
            let isControl = character.unicodeScalars.contains {
                [.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
            }
            return isControl ? " " : character
        }
        return String(beginning) + (beginning.count < count ? "…" : "")
    }
}
