import Foundation

/// The reason why a response is incomplete.
package enum TransferFailure: Error, Equatable {
    /// The request was cancelled.
    case cancelled
    /// The response exceeded the total timeout.
    case tookTooLong
    /// The body exceeds the limit.
    case bodyOverLimit(Int)
    /// The network or the peer failed. The code is that of a `URLError`, the text that of the transport.
    case transport(code: Int, text: String, hadBegun: Bool)
}

extension TransferFailure {
    /// Returns the failure as an error for users.
    package func error(host: String) -> GitHubError {
        // On Linux, Foundation reports a connection that closes early as `unknown`, one that closes before any response
        // as `badServerResponse`, and a response in another protocol as `unsupportedURL`. So the received data decides
        // first.
        switch self {
        case .cancelled: GitHubError(.timedOut, "The search was cancelled.")
        case .tookTooLong: GitHubError(.timedOut, "GitHub (\(host)) did not respond in time.")
        case .bodyOverLimit(let limit):
            GitHubError(.tooLarge, "GitHub's response exceeds the limit of \(limit) bytes.")
        case .transport(let code, let text, let hadBegun):
            Self.error(URLError.Code(rawValue: code), text: text, hadBegun: hadBegun, host: host)
        }
    }

    private static func error(_ code: URLError.Code?, text: String, hadBegun: Bool, host: String) -> GitHubError {
        switch code {
        case .timedOut: GitHubError(.timedOut, "GitHub (\(host)) did not respond in time.")
        case _ where hadBegun: GitHubError(.truncated, "The connection closed before GitHub's response was complete.")
        case .badServerResponse, .networkConnectionLost:
            GitHubError(.truncated, "The connection closed before GitHub's response began.")
        case .unsupportedURL: GitHubError(.unexpectedResponse, "The service at \(host) does not speak HTTP.")
        default:
            GitHubError(.offline, "GitHub (\(host)) cannot be reached: \(UntrustedText.shown(text)).")
        }
    }
}
