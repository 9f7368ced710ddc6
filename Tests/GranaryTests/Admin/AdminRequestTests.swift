import HTTPModel
import StateCapture
import Testing

@testable import Granary

struct AdminRequestTests {
    private func parse(
        _ method: HTTPMethod, _ target: String, _ body: String = "", type: HTTPFieldValue? = "application/json"
    ) throws(ProblemDetails) -> AdminRequest {
        var request = HTTPRequest(method: method, target: target, body: Array(body.utf8))
        if let type { request.fields.append(.contentType, type) }
        return try AdminRequest(request)
    }

    private func status(of body: () throws -> Void) -> UInt16? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ProblemDetails)?.status.code
        }
    }

    @Test func `each operation is found by its method and path`() throws {
        for operation in AdminOperation.allCases {
            let path = operation.path.replacing("{id}", with: "ab").replacing("{version}", with: "7")
                .replacing("{input}", with: "a%2Fb")
            let request = try parse(operation.method, AdminOperation.root + path)
            #expect(request.operation == operation)
            if operation.path.contains("{id}") { #expect(request.path("id") == "ab") }
            if operation.path.contains("{version}") { #expect(try request.version() == 7) }
            if operation.path.contains("{input}") { #expect(request.path("input") == "a/b") }
        }
    }

    @Test func `paths of other parts are not those of the interface`() {
        #expect(AdminRequest.isAdmin("/admin/v1") && AdminRequest.isAdmin("/admin/v1/x"))
        for path in ["/admin", "/admin/v10", "/admin/v1x", "/", "/v1/sessions"] {
            #expect(!AdminRequest.isAdmin(path[...]), "\(path)")
        }
    }

    @Test func `a parameter that the operation does not have, or has twice, is refused`() {
        #expect(status { _ = try parse(.get, "/admin/v1/machines?x=1") } == 400)
        #expect(status { _ = try parse(.get, "/admin/v1/sessions?machine=a&machine=b") } == 400)
        #expect(status { _ = try parse(.get, "/admin/v1/sessions?machine=%FF") } == 400)
        #expect(status { _ = try parse(.get, "/admin/v1/sessions/%FF") } == 400)
    }

    @Test func `numbers are whole and in range`() throws {
        for (text, expected) in [("5", 5 as UInt64?), ("", nil)] {
            #expect(try parse(.get, "/admin/v1/sessions?limit=\(text)").number("limit", in: 1...9) == expected)
        }
        for text in ["0", "10", "-1", "+1", "1.5", "x", "99999999999999999999"] {
            #expect(
                status { _ = try parse(.get, "/admin/v1/sessions?limit=\(text)").number("limit", in: 1...9) } == 400,
                "\(text)")
        }
    }

    @Test func `a body has the members of its operation, and is JSON`() throws {
        #expect(try parse(.post, "/admin/v1/lookup", #"{"id":"x"}"#).members() == ["id": "x"])
        #expect(try parse(.post, "/admin/v1/lookup").members() == [:])
        for (body, expected) in [("{", 400), ("[]", 422), (#"{"x":1}"#, 422)] as [(String, UInt16)] {
            #expect(status { _ = try parse(.post, "/admin/v1/lookup", body).members() } == expected, "\(body)")
        }
    }

    @Test(
        arguments: [nil, "text/plain", "application/x-www-form-urlencoded", "application/jsonp"] as [HTTPFieldValue?])
    func `a body of a type that forms of other sites can send is refused`(_ type: HTTPFieldValue?) {
        #expect(status { _ = try parse(.post, "/admin/v1/lookup", "{}", type: type) } == 415)
    }

    @Test func `values are revealed only by name`() throws {
        #expect(try !parse(.get, "/admin/v1/sessions/ab").revealsValues())
        #expect(try parse(.get, "/admin/v1/sessions/ab?values=shown").revealsValues())
        #expect(status { _ = try parse(.get, "/admin/v1/sessions/ab?values=1").revealsValues() } == 400)
    }
}

struct AdminHostsTests {
    @Test(arguments: [
        "localhost", "LOCALHOST:9090", "granary.localhost", "127.0.0.1:9090", "[::1]:9090", "192.0.2.1", "",
        "ops.example",
        "OPS.example.:443",
    ])
    func `addresses, localhost and listed names are accepted`(_ authority: String) {
        #expect(AdminHosts(["ops.example"]).accepts(authority))
    }

    @Test(arguments: [
        "evil.example", "localhost.evil.example", "ops.example.evil", "127.0.0.1.evil.example:80", "[evil]",
    ])
    func `names of other sites are refused`(_ authority: String) {
        #expect(!AdminHosts(["ops.example"]).accepts(authority))
    }

    @Test func `any name is accepted if the configuration says so`() {
        #expect(AdminHosts(["*"]).accepts("evil.example"))
        #expect(AdminHosts(["[::2]"]).accepts("[::2]:80"))
    }
}

struct InspectorTests {
    @Test func `the page refers to files that exist, under names that can be cached`() throws {
        let inspector = Inspector()
        func get(_ path: String) -> HTTPResponse? {
            inspector.response(to: HTTPRequest(method: .get, target: path))
        }
        let page = String(decoding: get("/")?.body.bytes ?? [], as: UTF8.self)
        #expect(page.contains("<title>Inspector"))
        var pending = page.split(separator: "\"").map(String.init).filter { $0.hasPrefix("/inspector/") }
        #expect(pending.count >= 3)
        var seen: Set<String> = []
        while let path = pending.popLast() {
            guard seen.insert(path).inserted else { continue }
            let response = try #require(get(path), "\(path)")
            #expect(response.fields.value(.cacheControl)?.contains("immutable") == true, "\(path)")
            #expect(response.fields.value(.contentSecurityPolicy)?.contains("script-src 'self'") == true)
            let text = String(decoding: response.body.bytes ?? [], as: UTF8.self)
            pending += text.split(separator: "from \"").dropFirst().map {
                // Files that the page has, too, name each other by relative paths.
                String($0.prefix { $0 != "\"" }).replacing(/^\.\//, with: "/inspector/")
            }
        }
        // Each file is reached, and no file has a reference that leads nowhere.
        #expect(seen.count * 2 == inspector.paths.filter { $0 != "/" }.count)
        #expect(get("/inspector/nothing.js") == nil && get("/app.js") == nil)
        #expect(get("/inspector/app.0000.js")?.status == .ok)
    }
}
