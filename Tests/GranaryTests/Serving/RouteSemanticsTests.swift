import HTTPCompression
import HTTPModel
import HTTPServer
import MachineHost
import Testing

@testable import Granary

/// RFC 9110 for the routes that there are, over both versions.
@Suite(.serialized) struct RouteSemanticsTests {
    private static let events = [("accept", "text/event-stream")]

    /// Every route that is read, and one that is not there.
    private func paths(_ session: String) -> [String] {
        [
            "/", "/main.js", "/style.css", "/icon.svg", "/problems/not-found", "/v1/machines",
            "/v1/machines/scripted", session, session + "/outputs", "/health/live", "/health/ready", "/nowhere",
            "/v1/nowhere",
        ]
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `HEAD is answered as GET, without the content`(_ version: ServedRoutes.Version) async throws {
        let routes = try ServedRoutes(version)
        for path in paths(try routes.makeSession()) {
            for fields in [[], [("accept-encoding", "br, gzip")], [("accept-encoding", "gzip")]] {
                let get = try routes.ask("GET", path, fields)
                let head = try routes.ask("HEAD", path, fields)
                #expect(head.status == get.status && head.body.isEmpty)
                #expect(head.lastingFields == get.lastingFields, "\(path) \(fields)")
                #expect(get.fields.value(.contentLength) == String(get.body.count))
                #expect(head.fields.contains(.date) && get.fields.contains(.date))
            }
        }
        await routes.shutdown()
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `OPTIONS tells the methods, and no others are taken`(_ version: ServedRoutes.Version) async throws {
        let routes = try ServedRoutes(version)
        for path in paths(try routes.makeSession()) + ["/v1/sessions"] where !path.hasSuffix("nowhere") {
            let options = try routes.ask("OPTIONS", path)
            #expect(options.status == 204 && options.body.isEmpty && !options.fields.contains(.contentLength))
            let allowed = try #require(options.fields.value(.allow))
            for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "TRACE"] {
                let answer = try routes.ask(method, path)
                let isAllowed = allowed.split(separator: ", ").contains(Substring(method))
                #expect((answer.status != 405) == isAllowed, "\(method) \(path): \(answer.status)")
                if !isAllowed { #expect(answer.fields.value(.allow) == allowed) }
            }
            #expect(try routes.ask("BREW", path).status == 501)
        }
        let whole = try routes.ask("OPTIONS", "*")
        #expect(whole.status == 204 && whole.fields.value(.allow) == "GET, HEAD, POST, DELETE, OPTIONS")
        await routes.shutdown()
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `a version is known by its tag in any coding, for reading and for inputs`(
        _ version: ServedRoutes.Version
    ) async throws {
        let routes = try ServedRoutes(version)
        let session = try routes.makeSession()
        let gzip = ("accept-encoding", "gzip")
        for path in [session, session + "/outputs"] {
            let coded = try routes.ask("GET", path, [gzip])
            #expect(coded.fields.value(.contentEncoding) == "gzip" && coded.fields.value(.eTag) == "\"0-gzip\"")
            let plain = try routes.ask("GET", path)
            #expect(plain.fields.value(.eTag) == "\"0\"" && plain.fields.value(.vary) == "accept-encoding")
            for tag in ["\"0-gzip\"", "\"0\"", "\"0-br\""] {
                let same = try routes.ask("GET", path, [gzip, ("if-none-match", tag)])
                #expect(same.status == 304 && same.body.isEmpty && same.fields.value(.eTag) == tag)
                #expect(same.fields.contains(.date) && !same.fields.contains(.contentEncoding))
            }
            #expect(try routes.ask("GET", path, [gzip, ("if-none-match", "\"1-gzip\"")]).status == 200)
        }
        let say = session + "/inputs/say"
        #expect(try routes.ask("POST", say, [("if-match", "\"1-gzip\"")], body: "1").status == 412)
        #expect(try routes.ask("POST", say, [("if-match", "\"0-gzip\"")], body: "1").status == 200)
        #expect(try routes.ask("POST", say, [("if-match", "\"0-gzip\"")], body: "2").status == 412)
        await routes.shutdown()
    }

    @Test(arguments: ServedRoutes.Version.allCases)
    func `a session's stream comes compressed where that is configured`(
        _ version: ServedRoutes.Version
    ) async throws {
        for streams in [HTTPServerCompression.Streams.gzip, .brotli] {
            let routes = try ServedRoutes(version) { configuration in
                configuration.compression.streams = streams
                configuration.sessions.streamLifetime = .milliseconds(100)
            }
            let session = try routes.makeSession()
            let fields = Self.events + [("accept-encoding", "gzip, br")]
            let head = try routes.ask("HEAD", session + "/outputs", fields)
            // It ends with its lifetime, and so does what was compressed.
            let answer = try routes.ask("GET", session + "/outputs", fields)
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
    func `a tag that matches goes before the part that is asked for`(_ version: ServedRoutes.Version) async throws {
        let routes = try ServedRoutes(version)
        let style = try routes.ask("GET", "/style.css", [("range", "bytes=0-3")])
        #expect(style.status == 206 && style.body.count == 4)
        let tag = try #require(style.fields.value(.eTag))
        let conditions: [([(String, String)], Int)] = [
            ([("if-match", "\"other\""), ("if-none-match", tag), ("range", "bytes=0-3")], 412),
            ([("if-match", tag), ("if-none-match", tag), ("range", "bytes=0-3")], 304),
            ([("if-match", tag), ("if-range", tag), ("range", "bytes=0-3")], 206),
            ([("if-range", "\"other\""), ("range", "bytes=0-3")], 200),
            ([("if-range", tag), ("range", "bytes=999999-")], 416),
        ]
        for (fields, status) in conditions { #expect(try routes.ask("GET", "/style.css", fields).status == status) }
        // Parts are for GET only.
        #expect(try routes.ask("HEAD", "/style.css", [("range", "bytes=0-3")]).status == 200)
        await routes.shutdown()
    }
}
