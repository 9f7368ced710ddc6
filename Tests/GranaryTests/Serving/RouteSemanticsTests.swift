import HTTPModel
import HTTPServer
import HTTPServerTesting
import MachineHost
import Testing

@testable import Granary

/// Conformance of all routes to RFC 9110, over both versions of HTTP.
@Suite(.serialized) struct RouteSemanticsTests {
    private static let events = [("accept", "text/event-stream")]

    /// Every route that can be read, and one that does not exist.
    private func paths(_ session: String) -> [String] {
        [
            "/", "/main.js", "/style.css", "/icon.svg", "/problems/not-found", "/v1/machines",
            "/v1/machines/scripted", session, session + "/outputs", "/health/live", "/health/ready", "/nowhere",
            "/v1/nowhere", "/openapi.json", "/types.d.ts", "/v1/machines/scripted/types.swift", "/granary.d.ts",
            "/granary-client.tgz",
        ]
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `the response to HEAD is that to GET without the content`(_ version: ServedRoutes.Version) async throws {
        let routes = try ServedRoutes(version)
        for path in paths(try routes.makeSession()) {
            for fields in [[], [("accept-encoding", "br, gzip")], [("accept-encoding", "gzip")]] {
                var get = try routes.request("GET", path, fields)
                var head = try routes.request("HEAD", path, fields)
                // The description of a session has a time that moves on with the clock.
                while true {
                    let later = try routes.request("GET", path, fields)
                    if later.body == get.body { break }
                    get = later
                    head = try routes.request("HEAD", path, fields)
                }
                #expect(head.status == get.status && head.body.isEmpty)
                #expect(head.lastingFields == get.lastingFields, "\(path) \(fields)")
                #expect(get.fields.value(.contentLength) == String(get.body.count))
                #expect(head.fields.contains(.date) && get.fields.contains(.date))
            }
        }
        await routes.shutdown()
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `OPTIONS lists the allowed methods, and all others are rejected`(_ version: ServedRoutes.Version) async throws
    {
        let routes = try ServedRoutes(version)
        for path in paths(try routes.makeSession()) + ["/v1/sessions"] where !path.hasSuffix("nowhere") {
            let options = try routes.request("OPTIONS", path)
            #expect(options.status == 204 && options.body.isEmpty && !options.fields.contains(.contentLength))
            let allowed = try #require(options.fields.value(.allow))
            for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "TRACE"] {
                let answer = try routes.request(method, path)
                let isAllowed = allowed.split(separator: ", ").contains(Substring(method))
                #expect((answer.status != 405) == isAllowed, "\(method) \(path): \(answer.status)")
                if !isAllowed { #expect(answer.fields.value(.allow) == allowed) }
            }
            #expect(try routes.request("BREW", path).status == 501)
        }
        let whole = try routes.request("OPTIONS", "*")
        #expect(whole.status == 204 && whole.fields.value(.allow) == "GET, HEAD, POST, DELETE, OPTIONS")
        await routes.shutdown()
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `an entity tag matches in any content coding, for reads and inputs`(
        _ version: ServedRoutes.Version
    ) async throws {
        let routes = try ServedRoutes(version)
        let session = try routes.makeSession()
        let gzip = ("accept-encoding", "gzip")
        for path in [session, session + "/outputs"] {
            let plain = try routes.request("GET", path)
            let tag = try #require(plain.fields.value(.eTag)?.dropLast())
            #expect(tag.hasSuffix(".0") && plain.fields.value(.vary) == "accept-encoding")
            let coded = try routes.request("GET", path, [gzip])
            #expect(coded.fields.value(.contentEncoding) == "gzip" && coded.fields.value(.eTag) == "\(tag)-gzip\"")
            for tag in ["\(tag)-gzip\"", "\(tag)\"", "\(tag)-br\""] {
                let same = try routes.request("GET", path, [gzip, ("if-none-match", tag)])
                #expect(same.status == 304 && same.body.isEmpty && same.fields.value(.eTag) == tag)
                #expect(same.fields.contains(.date) && !same.fields.contains(.contentEncoding))
            }
            #expect(try routes.request("GET", path, [gzip, ("if-none-match", "\"1-gzip\"")]).status == 200)
        }
        let say = session + "/inputs/say"
        #expect(try routes.request("POST", say, [("if-match", "\"1-gzip\"")], body: "1").status == 412)
        #expect(try routes.request("POST", say, [("if-match", "\"0-gzip\"")], body: "1").status == 200)
        #expect(try routes.request("POST", say, [("if-match", "\"0-gzip\"")], body: "2").status == 412)
        await routes.shutdown()
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `a session's stream is compressed if configured`(
        _ version: ServedRoutes.Version
    ) async throws {
        for streams in [HTTPServerCompression.Streams.gzip, .brotli] {
            let routes = try ServedRoutes(version) { configuration in
                configuration.compression.streams = streams
                configuration.sessions.streamLifetime = .milliseconds(100)
            }
            let session = try routes.makeSession()
            let fields = Self.events + [("accept-encoding", "gzip, br")]
            let head = try routes.request("HEAD", session + "/outputs", fields)
            // The stream ends with its lifetime, which also completes the compressed content.
            let answer = try routes.request("GET", session + "/outputs", fields)
            #expect(head.lastingFields == answer.lastingFields && !head.fields.contains(.contentLength))
            let coding = ContentCoding.allCases.first { $0.token.string == answer.fields.value(.contentEncoding) }
            #expect(coding == (streams == .gzip ? .gzip : .brotli))
            let content = try ContentDecoder.decode(answer.body, try #require(coding))
            var parser = EventStreamParser()
            let events = parser.receive(content)
            #expect(events.map(\.event) == ["snapshot", "end"] && events[0].data.contains("quite a lot"))
            #expect(answer.body.count < content.count / 4)
            await routes.shutdown()
        }
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `conditional fields are evaluated before the range`(_ version: ServedRoutes.Version) async throws {
        let routes = try ServedRoutes(version)
        let style = try routes.request("GET", "/style.css", [("range", "bytes=0-3")])
        #expect(style.status == 206 && style.body.count == 4)
        let tag = try #require(style.fields.value(.eTag))
        let conditions: [([(String, String)], Int)] = [
            ([("if-match", "\"other\""), ("if-none-match", tag), ("range", "bytes=0-3")], 412),
            ([("if-match", tag), ("if-none-match", tag), ("range", "bytes=0-3")], 304),
            ([("if-match", tag), ("if-range", tag), ("range", "bytes=0-3")], 206),
            ([("if-range", "\"other\""), ("range", "bytes=0-3")], 200),
            ([("if-range", tag), ("range", "bytes=999999-")], 416),
        ]
        for (fields, status) in conditions { #expect(try routes.request("GET", "/style.css", fields).status == status) }
        // Range applies to GET only.
        #expect(try routes.request("HEAD", "/style.css", [("range", "bytes=0-3")]).status == 200)
        await routes.shutdown()
    }
}
