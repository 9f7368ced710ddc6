package import HTTPTransfer

extension GitHubError {
    /// Creates the error for users that a failed transfer causes.
    package init(_ failure: TransferFailure, host: String) {
        self =
            switch failure {
            case .cancelled: GitHubError(.timedOut, "The search was cancelled.")
            case .timedOut: GitHubError(.timedOut, "GitHub (\(host)) did not respond in time.")
            case .tooLarge(let limit):
                GitHubError(.tooLarge, "GitHub's response exceeds the limit of \(limit) bytes.")
            case .cutOff(hasHead: true, _):
                GitHubError(.truncated, "The connection closed before GitHub's response was complete.")
            case .cutOff(hasHead: false, _):
                GitHubError(.truncated, "The connection closed before GitHub's response began.")
            case .notHTTP: GitHubError(.unexpectedResponse, "The service at \(host) does not speak HTTP.")
            case .unreachable(let text), .invalidRequest(let text):
                GitHubError(.offline, "GitHub (\(host)) cannot be reached: \(UntrustedText.shown(text)).")
            }
    }
}
