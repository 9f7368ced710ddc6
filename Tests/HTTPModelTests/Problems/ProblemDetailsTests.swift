import HTTPModel
import Testing

@Suite struct ProblemDetailsTests {
    @Test func `a problem is encoded with all of its members`() {
        let problem = ProblemDetails(
            status: .unprocessableContent, kind: "value-mismatch", title: "The value does not fit",
            detail: "expected a boolean, found \"x\"", errors: [.init(pointer: "/0/value", detail: "line\nend")],
            members: [("version", .number(7)), ("incident", .string("a\\b"))])
        #expect(
            String(decoding: problem.json, as: UTF8.self)
                == #"{"type":"/problems/value-mismatch","title":"The value does not fit","status":422,"#
                + #""detail":"expected a boolean, found \"x\"","errors":[{"pointer":"/0/value","detail":"line\nend"}],"#
                + #""version":7,"incident":"a\\b"}"#)
    }

    @Test func `the response of a problem has its media type and fields, and is not cached`() {
        let problem = ProblemDetails(
            status: .methodNotAllowed, kind: "method-not-allowed", title: "t", detail: "d",
            fields: [.allow: "GET, HEAD"])
        let response = problem.response
        #expect(response.status == .methodNotAllowed)
        #expect(response.fields.value(.contentType) == "application/problem+json")
        #expect(response.fields.value(.cacheControl) == "no-store")
        #expect(response.fields.value(.xContentTypeOptions) == "nosniff")
        #expect(response.fields.value(.allow) == "GET, HEAD")
        guard case .bytes(let body) = response.body else {
            Issue.record("expected the JSON of the problem as content")
            return
        }
        #expect(body == problem.json)
    }
}
