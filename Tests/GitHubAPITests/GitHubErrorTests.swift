import Foundation
import HTTPTransfer
import Testing

@testable import GitHubAPI

@Suite struct GitHubErrorTests {
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

    @Test func `a rate limit is reported with its end, rounded up to a second`() {
        let end = Date(timeIntervalSince1970: 1_700_000_041.2)
        let error = GitHubError.rateLimited(until: end, status: 403)
        #expect(error.code == .rateLimited)
        #expect(error.status == 403)
        #expect(error.retryAt == end)
        #expect(error.message == "GitHub accepts no more searches until 22:14:02 UTC: the rate limit is used up.")
    }

    @Test func `the JSON form is the same as that of earlier releases`() throws {
        let json = #"{"code":{"description":"offline"},"message":"No network."}"#
        let error = try JSONDecoder().decode(GitHubError.self, from: Data(json.utf8))
        #expect(error == GitHubError(.offline, "No network."))
    }
}
