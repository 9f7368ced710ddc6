import Foundation
import GitHubAPI
import Testing

struct TransferTests {
    private let origin: Origin

    init() throws {
        origin = try #require(URL(string: "https://api.github.com/search").flatMap(Origin.init))
    }

    private func transfer(bodyLimit: Int = 10) -> Transfer { Transfer(origin: origin, bodyLimit: bodyLimit) }

    @Test func `a response consists of its head and all parts of its body`() throws {
        var transfer = transfer()
        #expect(transfer.headArrived(status: 200, fields: ["A": "b"], expectedBytes: -1) == .proceed)
        #expect(transfer.bodyArrived(Data("abc".utf8)) == .proceed)
        #expect(transfer.bodyArrived(Data("defghij".utf8)) == .proceed)
        let answer = try transfer.ended(with: nil).get()
        #expect(answer.status == 200)
        #expect(answer.fields["a"] == "b")
        #expect(answer.body == Data("abcdefghij".utf8))
    }

    @Test func `one byte over the limit stops the task`() {
        var transfer = transfer()
        _ = transfer.headArrived(status: 200, fields: [:], expectedBytes: -1)
        #expect(transfer.bodyArrived(Data("abcdefghij".utf8)) == .proceed)
        #expect(transfer.bodyArrived(Data("k".utf8)) == .stop(.bodyOverLimit(10)))
    }

    @Test func `a body whose declared length exceeds the limit is not read`() {
        var transfer = transfer()
        #expect(transfer.headArrived(status: 200, fields: [:], expectedBytes: 10) == .proceed)
        #expect(transfer.headArrived(status: 200, fields: [:], expectedBytes: 11) == .stop(.bodyOverLimit(10)))
    }

    @Test(arguments: [
        ("https://api.github.com/other?x", true), ("https://API.github.com:443/", true),
        ("http://api.github.com/", false), ("https://api.github.com:8443/", false), ("https://github.com/", false),
        ("https://api.github.com.evil.example/", false), ("https://api.github.com@evil.example/", false),
        ("ftp://api.github.com/", false), ("file:///etc/passwd", false),
    ])
    func `only a redirect to the same scheme, host and port is followed`(target: String, isFollowed: Bool) {
        var transfer = transfer()
        #expect(transfer.redirected(to: URL(string: target)) == isFollowed)
    }

    @Test func `the number of redirects is limited`() {
        var transfer = transfer()
        let here = URL(string: "https://api.github.com/again")
        let followed = (0...Transfer.redirectLimit).map { _ in transfer.redirected(to: here) }
        #expect(followed == Array(repeating: true, count: Transfer.redirectLimit) + [false])
    }

    @Test func `the head after a redirect replaces the redirect's head and body`() throws {
        var transfer = transfer()
        _ = transfer.headArrived(status: 302, fields: ["Location": "/"], expectedBytes: 3)
        _ = transfer.bodyArrived(Data("old".utf8))
        _ = transfer.headArrived(status: 200, fields: [:], expectedBytes: 3)
        _ = transfer.bodyArrived(Data("new".utf8))
        let answer = try transfer.ended(with: nil).get()
        #expect(answer.status == 200)
        #expect(answer.body == Data("new".utf8))
        #expect(answer.fields["location"] == nil)
    }

    @Test(arguments: [
        (URLError.Code.timedOut, true, GitHubError.Code.timedOut), (.timedOut, false, .timedOut),
        (.unknown, true, .truncated), (.networkConnectionLost, true, .truncated),
        (.networkConnectionLost, false, .truncated), (.badServerResponse, false, .truncated),
        (.unsupportedURL, false, .unexpectedAnswer), (.cannotFindHost, false, .offline),
        (.cannotConnectToHost, false, .offline), (.notConnectedToInternet, false, .offline),
        (.secureConnectionFailed, false, .offline), (.unknown, false, .offline),
    ])
    func `a transport failure is mapped to an error code`(
        code: URLError.Code, hadBegun: Bool, expected: GitHubError.Code
    ) {
        var transfer = transfer()
        if hadBegun { _ = transfer.headArrived(status: 200, fields: [:], expectedBytes: 5) }
        guard case .failure(let failure) = transfer.ended(with: (code.rawValue, "the cause")) else {
            Issue.record("a failed transfer returned a response")
            return
        }
        #expect(failure == .transport(code: code.rawValue, text: "the cause", hadBegun: hadBegun))
        #expect(failure.error(host: "api.github.com").code == expected)
    }

    @Test func `an unknown failure is reported as offline with its description`() {
        let error = TransferFailure.transport(code: -99_999, text: "no route", hadBegun: false).error(host: "a.example")
        #expect(error.code == .offline)
        #expect(error.message == "GitHub (a.example) cannot be reached: no route.")
    }

    @Test func `a transfer that ends without a response fails`() {
        #expect(throws: TransferFailure.self) { try transfer().ended(with: nil).get() }
    }
}
