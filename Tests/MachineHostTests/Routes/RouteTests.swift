import Testing

@testable import MachineHost

struct RouteTests {
    private let id = SessionID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)

    @Test func `every valid path is parsed as its route`() {
        let session = "/v1/sessions/\(id.text)"
        let routes: [(String, Route)] = [
            ("/v1/machines", .machines), ("/v1/machines/counter", .machine("counter")),
            ("/v1/sessions", .sessions),
            (session, .session(id)), (session + "/inputs", .inputs(id)),
            (session + "/inputs/add", .input(id, "add")),
            (session + "/inputs/counter1.add", .input(id, "counter1.add")),
            (session + "/outputs", .outputs(id)), (session + "/stream", .stream(id)),
            ("/health/live", .live), ("/health/ready", .ready),
        ]
        for (path, route) in routes {
            #expect(Route(target: path) == route)
            #expect(Route(target: path + "?") == route)
            #expect(Route(target: path + "?only=a/b&x=?") == route)
        }
    }

    @Test func `names may be percent-encoded, but the parts between them may not`() {
        #expect(Route(target: "/v1/sessions/\(id.text)/inputs/%C3%A4%2Fb") == .input(id, "ä/b"))
        #expect(Route(target: "/v1/sessions/\(id.text)/inputs/%") == .unknown)
        #expect(Route(target: "/v1/sessions/\(id.text)%2Finputs") == .noSession)
        #expect(Route(target: "/v1%2Fmachines") == .unknown)
    }

    @Test(arguments: [
        "", "/", "*", "/v1", "/v1/", "/v1/machine", "/v1/machinesx", "/v1/machines/",
        "/v1/machines/a/b", "/V1/machines",
        "/v1//machines", "/v1/sessionsx", "/v1/sessions/", "/health", "/health/", "/health/livex",
        "/health/live/",
        "/v1/../v1/machines",
    ])
    func `any other path has no route`(path: String) {
        #expect(Route(target: path) == .unknown)
    }

    @Test(arguments: [
        "", "/", "/inputs/", "/inputs/a/b", "/outputs/", "/outputs/count", "/output", "/stream/", "/streams",
        "/inputsx", "x",
    ])
    func `a session has no other paths below it`(rest: String) {
        let route = Route(target: "/v1/sessions/\(id.text)\(rest)")
        #expect(route == (rest.isEmpty ? .session(id) : rest == "x" ? .noSession : .unknown))
    }

    @Test func `an impossible session ID is distinguished from an unknown path`() {
        #expect(Route(target: "/v1/sessions/short") == .noSession)
        #expect(Route(target: "/v1/sessions/short/outputs") == .noSession)
    }
}
