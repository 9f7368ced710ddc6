import HTTPModel
import Testing

@testable import Granary

struct GeneralResponsesTests {
    @Test func `OPTIONS for the whole server lists the allowed methods`() throws {
        let answer = try #require(GeneralResponses.response(to: HTTPRequest(method: .options, target: "*")))
        #expect(answer.status == .noContent)
        #expect(answer.fields.value(.allow) == "GET, HEAD, POST, DELETE, OPTIONS")
    }

    @Test(arguments: ["BREW", "get", "PROPFIND", "M-SEARCH"])
    func `an unknown method is not implemented for any target`(_ method: String) throws {
        for target in ["/", "/v1/sessions", "/nowhere"] {
            let request = HTTPRequest(method: HTTPMethod(rawValue: method), target: target)
            let answer = try #require(GeneralResponses.response(to: request))
            #expect(answer.status == .notImplemented && answer.fields.contains(.allow))
        }
    }

    @Test(arguments: [HTTPMethod.get, .head, .post, .put, .patch, .delete, .options, .trace])
    func `known methods are left to the route`(_ method: HTTPMethod) {
        #expect(GeneralResponses.response(to: HTTPRequest(method: method, target: "/"))?.status == nil)
    }
}
