public import Foundation

/// Why a search has no result, in a sentence that can be shown to people.
///
/// No message holds the token, and what GitHub or the network wrote is cut short and freed of control characters.
public struct GitHubError: Error, Sendable {
    /// What kind of failure this is; there may be more kinds in later versions, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name as a log shows it.
        public let description: String
    }

    /// The kind of failure.
    public let code: Code
    /// What was expected and what came, in a sentence.
    public let message: String
    /// The status of GitHub's answer, where there was one.
    public let status: Int?
    /// The time before which it makes no sense to ask again, where one is known.
    public let retryAt: Date?

    /// A failure from its parts, for searches that are answered by something else than a ``GitHubClient``.
    public init(_ code: Code, _ message: String, status: Int? = nil, retryAt: Date? = nil) {
        self.code = code
        self.message = message
        self.status = status
        self.retryAt = retryAt
    }
}

extension GitHubError.Code {
    /// The address cannot be reached: no network, no such host, nobody listens there, or no trusted TLS.
    public static let offline = Self(description: "offline")
    /// No whole answer came in the configured time.
    public static let timedOut = Self(description: "timedOut")
    /// GitHub does not take the token (401).
    public static let unauthorized = Self(description: "unauthorized")
    /// GitHub refuses for another reason than a rate limit (403).
    public static let forbidden = Self(description: "forbidden")
    /// A rate limit is used up; ``GitHubError/retryAt`` says when it is reset. Nothing was sent if the limit was known.
    public static let rateLimited = Self(description: "rateLimited")
    /// The search makes no sense, to this client or to GitHub (422).
    public static let invalidQuery = Self(description: "invalidQuery")
    /// GitHub failed (5xx).
    public static let serverFailed = Self(description: "serverFailed")
    /// An answer that is no JSON, or JSON of another shape.
    public static let notJSON = Self(description: "notJSON")
    /// The answer ended too early.
    public static let truncated = Self(description: "truncated")
    /// The answer is larger than configured.
    public static let tooLarge = Self(description: "tooLarge")
    /// A redirect to another host, or one redirect too many; neither is followed.
    public static let redirected = Self(description: "redirected")
    /// An answer that the other codes do not cover.
    public static let unexpectedAnswer = Self(description: "unexpectedAnswer")
}

extension GitHubError: CustomStringConvertible, LocalizedError {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// The message.
    public var errorDescription: String? { message }
}

extension GitHubError: Equatable {
    /// Whether two failures would be told in the same way.
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
            .rateLimited, "GitHub takes no more searches until \(ClockText.utc(time)): its rate limit is used up.",
            status: status, retryAt: time)
    }
}
