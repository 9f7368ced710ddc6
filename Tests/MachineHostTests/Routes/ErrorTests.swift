import HTTPModel
import MachineHost
import MachineTesting
import Testing

struct ErrorTests {
    @Test(arguments: [
        ("GET", "/", 404, "not-found"),
        ("GET", "/v1", 404, "not-found"),
        ("GET", "/v1/machines/", 404, "not-found"),
        ("GET", "/v1/machines/nobody", 404, "not-found"),
        ("POST", "/v1/machines", 405, "method-not-allowed"),
        ("GET", "/v1/sessions", 405, "method-not-allowed"),
        ("PUT", "SESSION", 405, "method-not-allowed"),
        ("GET", "SESSION/inputs", 405, "method-not-allowed"),
        ("GET", "SESSION/inputs/increment", 405, "method-not-allowed"),
        ("POST", "SESSION/outputs", 405, "method-not-allowed"),
        ("POST", "SESSION/inputs/nonsense", 404, "not-found"),
        ("POST", "SESSION/inputs/in/crement", 404, "not-found"),
        ("GET", "SESSION/outputs?only=count,nonsense", 404, "not-found"),
        ("GET", "SESSION/", 404, "not-found"),
        ("GET", "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA", 404, "not-found"),
        ("GET", "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAB", 404, "not-found"),
        ("GET", "/v1/sessions/short", 404, "not-found"),
        ("GET", "/v1/sessions/", 404, "not-found"),
        ("DELETE", "/health/live", 405, "method-not-allowed"),
    ])
    func `each invalid path or method has its status`(method: String, target: String, status: Int, kind: String) throws
    {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let answer = harness.send(HTTPMethod(rawValue: method), target.replacing("SESSION", with: session))
        #expect(Int(answer.status.code) == status)
        #expect(answer.fields.value(.contentType) == "application/problem+json")
        #expect(answer.text.hasPrefix("{\"type\":\"/problems/\(kind)\""))
        #expect(answer.fields.contains(.allow) == (status == 405))
    }

    @Test func `the response to an unknown input lists the existing inputs`() throws {
        let harness = try HostHarness.counting()
        let answer = harness.input(harness.makeSession(), "incremnt")
        #expect(answer.text.contains("\\\"increment\\\""))
    }

    @Test(arguments: [
        ("{", 1, 2), ("nul", 1, 4), ("[1,\n2,\n x]", 3, 2), ("\"ä\u{01}\"", 1, 3), ("1 2", 1, 3), ("01", 1, 2),
        ("[1,]", 1, 4), ("\"\\ud800\"", 1, 2), ("\u{FEFF}1", 1, 1),
    ])
    func `invalid JSON is rejected with the line and column of the error`(body: String, line: Int, column: Int) throws {
        let harness = try HostHarness.counting()
        let answer = harness.input(harness.makeSession(), "set", body)
        #expect(answer.status == .badRequest)
        #expect(answer.text.contains("/problems/malformed-json"))
        #expect(answer.text.hasSuffix("\"line\":\(line),\"column\":\(column)}"), "\(answer.text)")
    }

    @Test func `the nesting depth is limited`() throws {
        let harness = try HostHarness.counting { $0.maxNesting = 3 }
        let session = harness.makeSession()
        #expect(harness.input(session, "set", "[[[1]]]").status == .ok)
        #expect(harness.input(session, "set", "[[[[1]]]]").status == .badRequest)
    }

    @Test func `a body with a content coding is rejected with a list of the supported codings`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let fields: HTTPFields = [.contentType: "application/json", .contentEncoding: "gzip"]
        // Also one that is plain JSON, on each route.
        for body in ["\u{1F}\u{8B}\u{8}", "1", "{"] {
            for target in [session + "/inputs/set", session + "/inputs", "/v1/sessions"] {
                let answer = harness.send(.post, target, body: body, fields: fields)
                #expect(answer.status == .unsupportedMediaType, "\(body) \(target)")
                #expect(answer.fields.value(.acceptEncoding) == "identity")
            }
        }
        let two: HTTPFields = [.contentType: "application/json", .contentEncoding: "identity", .contentEncoding: "br"]
        #expect(harness.input(session, "set", "1", fields: two).status == .unsupportedMediaType)
        #expect(harness.input(session, "set", nil, fields: fields).status == .ok)
        let plain: HTTPFields = [.contentType: "application/json", .contentEncoding: "Identity"]
        #expect(harness.input(session, "set", "{", fields: plain).status == .badRequest)
        #expect(harness.input(session, "set", "1", fields: plain).status == .ok)
    }

    @Test func `a body must be JSON, and a missing body needs no content type`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        for type: HTTPFieldValue in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""] {
            let answer = harness.input(session, "set", "1", fields: [.contentType: type])
            #expect(answer.status == .unsupportedMediaType)
            #expect(answer.fields.value(.accept) == "application/json")
        }
        for type: HTTPFieldValue in ["Application/JSON; charset=utf-8", "application/merge-patch+json"] {
            #expect(harness.input(session, "set", "1", fields: [.contentType: type]).status == .ok)
        }
        #expect(harness.input(session, "increment", fields: [.contentType: "text/plain"]).status == .ok)
        #expect(harness.input(session, "increment", "null").status == .ok)
    }

    @Test func `the response to a mismatched value says where and why, and no input runs`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let answer = harness.input(session, "add", "\"x\"")
        #expect(answer.status == .unprocessableContent)
        #expect(
            answer.text.contains(
                "\"errors\":[{\"pointer\":\"/step\",\"detail\":\"expected a whole number, found \\\"x\\\"\"}]"))
        #expect(harness.send(.get, session + "/outputs").text == "{\"count\":0,\"isEven\":true}")
    }

    @Test func `unknown members of a batch element are reported, and no input runs`() throws {
        let harness = try HostHarness.counting()
        let session = harness.makeSession()
        let answer = harness.send(
            .post, session + "/inputs",
            body: #"[{"input":"increment"},{"input":"increment","vlaue":null,"x":1},{"imput":"increment"}]"#)
        #expect(answer.status == .unprocessableContent)
        #expect(
            answer.text.contains(
                #"{"pointer":"/1/vlaue","detail":"unknown member \"vlaue\", did you mean \"value\"?"}"#))
        #expect(
            answer.text.contains(#"{"pointer":"/1/x","detail":"unknown member \"x\", expected \"input\", \"value\""}"#))
        #expect(answer.text.contains(#""pointer":"/2/imput""#))
        #expect(harness.send(.get, session).text.contains(#""version":0"#))
    }

    @Test func `unknown members of a creation request are reported, and no session is created`() throws {
        let harness = try HostHarness.counting()
        for (body, fault) in [
            (
                #"{"machine":"counter","x":1}"#,
                #"at /x: unknown member \"x\", expected \"machine\", \"name\", \"parameters\"."#
            ),
            (#"{"machne":"counter"}"#, #"at /machne: unknown member \"machne\", did you mean \"machine\"?""#),
        ] {
            let answer = harness.send(.post, "/v1/sessions", body: body)
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains(fault), "\(answer.text)")
        }
        #expect(harness.host.sessionCount == 0)
    }

    @Test func `a batch with errors reports every invalid element and runs none`() throws {
        let harness = try HostHarness.counting { $0.maxBatch = 5 }
        let session = harness.makeSession()
        let answer = harness.send(
            .post, session + "/inputs",
            body: """
                [{"input":"increment"},{"input":"add","value":true},{"input":"nope"},7,{"value":1}]
                """)
        #expect(answer.status == .unprocessableContent)
        for pointer in ["/1/value/step", "/2/input", "/3", "/4/input"] {
            #expect(answer.text.contains("\"pointer\":\"\(pointer)\""))
        }
        #expect(harness.send(.get, session + "/outputs").text == "{\"count\":0,\"isEven\":true}")
        let long = "[" + Array(repeating: "{\"input\":\"increment\"}", count: 6).joined(separator: ",") + "]"
        #expect(harness.send(.post, session + "/inputs", body: long).status == .unprocessableContent)
        #expect(harness.send(.post, session + "/inputs", body: "{}").status == .unprocessableContent)
        #expect(harness.send(.post, session + "/inputs").status == .unprocessableContent)
    }

    @Test(arguments: [
        ("/v1/machines", "text/html"), ("SESSION", "text/event-stream"), ("SESSION/outputs", "image/png"),
        ("SESSION/outputs", "application/json;q=0"),
    ])
    func `the response to an unsatisfiable Accept lists the available types`(target: String, accept: String) throws {
        let harness = try HostHarness.counting()
        let target = target.replacing("SESSION", with: harness.makeSession())
        let answer = harness.send(.get, target, fields: [.accept: try #require(HTTPFieldValue(accept))])
        #expect(answer.status == .notAcceptable)
        #expect(answer.text.contains("application/json"))
    }

    @Test func `a machine that cannot be created is logged as an incident, and no session exists`() throws {
        let harness = try HostHarness([counter { _ in throw ScriptedMachine.Failure("no database") }])
        let answer = harness.send(.post, "/v1/sessions", body: "{\"machine\":\"scripted\"}")
        #expect(answer.status == .internalServerError)
        #expect(!answer.text.contains("database"))
        #expect(answer.text.contains("\"incident\":\""))
        #expect(harness.host.sessionCount == 0)
    }

    @Test func `sessions above the limit are rejected until others end`() throws {
        let harness = try HostHarness.counting { $0.maxSessions = 1 }
        let session = harness.makeSession()
        let refused = harness.send(.post, "/v1/sessions", body: "{\"machine\":\"scripted\"}")
        #expect(refused.status == .serviceUnavailable)
        #expect(refused.fields.contains(.retryAfter))
        _ = harness.send(.delete, session)
        #expect(harness.send(.post, "/v1/sessions", body: "{\"machine\":\"scripted\"}").status == .created)
    }

    @Test(arguments: [
        ("", 422), ("{}", 422), ("[]", 422), ("{\"machine\":1}", 422), ("{\"machine\":\"nobody\"}", 404), ("{", 400),
    ])
    func `a session can be created only for an existing machine`(body: String, status: Int) throws {
        let harness = try HostHarness.counting()
        #expect(Int(harness.send(.post, "/v1/sessions", body: body).status.code) == status)
    }
}
