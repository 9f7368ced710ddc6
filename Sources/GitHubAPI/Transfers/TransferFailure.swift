import Foundation

/// Why no whole answer came.
package enum TransferFailure: Error, Equatable {
    /// Nobody wants the answer any more.
    case cancelled
    /// The whole took longer than allowed.
    case tookTooLong
    /// The body is larger than allowed.
    case bodyOverLimit(Int)
    /// The network or the peer failed; the code is `URLError`'s, the text the transport's own.
    case transport(code: Int, text: String, hadBegun: Bool)
}

extension TransferFailure {
    /// The failure in words for people.
    ///
    /// On Linux a connection that ends early has the code *unknown*, one that ends before any answer *bad server
    /// response*, and an answer in another protocol *unsupported URL*; so what has been received decides first.
    package func error(host: String) -> GitHubError {
        switch self {
        case .cancelled: GitHubError(.timedOut, "The search was cancelled.")
        case .tookTooLong: GitHubError(.timedOut, "GitHub (\(host)) did not answer in time.")
        case .bodyOverLimit(let limit):
            GitHubError(.tooLarge, "GitHub's answer is larger than the \(limit) bytes that are read.")
        case .transport(let code, let text, let hadBegun):
            Self.error(URLError.Code(rawValue: code), text: text, hadBegun: hadBegun, host: host)
        }
    }

    private static func error(_ code: URLError.Code?, text: String, hadBegun: Bool, host: String) -> GitHubError {
        switch code {
        case .timedOut: GitHubError(.timedOut, "GitHub (\(host)) did not answer in time.")
        case _ where hadBegun: GitHubError(.truncated, "The connection ended before GitHub's answer was complete.")
        case .badServerResponse, .networkConnectionLost:
            GitHubError(.truncated, "The connection ended before GitHub's answer began.")
        case .unsupportedURL: GitHubError(.unexpectedAnswer, "What answers at \(host) does not speak HTTP.")
        default:
            GitHubError(.offline, "GitHub (\(host)) cannot be reached: \(ForeignText.shown(text)).")
        }
    }
}
