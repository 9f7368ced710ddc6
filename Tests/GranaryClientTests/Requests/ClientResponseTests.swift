import Testing

@testable import GranaryClient

struct ClientResponseTests {
    private func response(_ body: String, _ fields: [String: String] = [:]) -> ClientResponse {
        ClientResponse(status: 422, fields: fields, body: Array(body.utf8))
    }

    @Test func `a problem has its kind, its detail and what belongs to the kind`() {
        let problem = response(
            #"{"type":"/problems/session-ended","title":"t","status":410,"detail":"d","reason":"failed","incident":"i"}"#
        ).problem
        #expect(
            problem == ServerProblem(status: 422, kind: "session-ended", detail: "d", incident: "i", reason: "failed"))
    }

    @Test(arguments: ["", "<html>", "{}", #"{"type":"about:blank"}"#, #"{"type":7,"detail":{}}"#])
    func `a response of something else has no kind`(body: String) {
        #expect(response(body).problem == ServerProblem(status: 422))
    }

    @Test(arguments: [
        ("0", 0), (" 7 ", 7), ("-1", 0), ("+7", 0), ("1e3", 0), ("99999999999999999999", 4_294_967_295), ("", 0),
    ])
    func `a pause is a number of seconds`(text: String, seconds: Int) {
        #expect(response("", ["retry-after": text]).retryAfter == .seconds(seconds))
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Mon, 07 Nov 1994 08:49:37 GMT", 86400),
        ("Sun, 06 Nov 1994 08:49:27 GMT", 0), ("Sun, 06 Nov 1994", 0), ("soon", 0),
    ])
    func `a pause until a date begins with the date of the response`(text: String, seconds: Int) {
        let sent = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(response("", ["retry-after": text, "date": sent]).retryAfter == .seconds(seconds))
        #expect(response("", ["retry-after": text]).retryAfter == .zero)
    }

    @Test func `deep nesting is not a response`() {
        let deep = String(repeating: #"{"a":"#, count: 100_000)
        #expect(response(deep).object == nil)
    }
}
