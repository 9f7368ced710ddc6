import GitHubAPI
import HTTPTransfer
import Testing

@Suite struct GitHubErrorTransferTests {
    @Test(arguments: [
        (TransferFailure.cancelled, GitHubError.Code.timedOut, "The search was cancelled."),
        (.timedOut, .timedOut, "GitHub (a.example) did not respond in time."),
        (.tooLarge(limit: 7), .tooLarge, "GitHub's response exceeds the limit of 7 bytes."),
        (.cutOff(hasHead: true, "x"), .truncated, "The connection closed before GitHub's response was complete."),
        (.cutOff(hasHead: false, "x"), .truncated, "The connection closed before GitHub's response began."),
        (.notHTTP("x"), .unexpectedResponse, "The service at a.example does not speak HTTP."),
        (.unreachable("no\nroute"), .offline, "GitHub (a.example) cannot be reached: no route."),
        (.invalidRequest("x"), .offline, "GitHub (a.example) cannot be reached: x."),
    ])
    func `a failed transfer is an error for users`(failure: TransferFailure, code: GitHubError.Code, message: String) {
        #expect(GitHubError(failure, host: "a.example") == GitHubError(code, message))
    }
}
