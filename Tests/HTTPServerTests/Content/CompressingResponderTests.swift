import HTTPModel
import HTTPServerTesting
import Testing

@testable import HTTPServer

@Suite struct CompressingResponderTests {
    private static let text = Array(String(repeating: "{\"count\":\"7\",\"isOn\":true},", count: 200).utf8)

    /// Returns given responses and records the requests.
    private final class Source: HTTPResponder {
        var answer: (HTTPRequest) -> HTTPAnswer
        private(set) var asked: [HTTPRequest] = []

        init(_ answer: @escaping (HTTPRequest) -> HTTPAnswer) { self.answer = answer }

        func respond(to request: HTTPRequest) -> HTTPAnswer {
            asked.append(request)
            return answer(request)
        }
    }

    private func ask(
        _ response: HTTPResponse, method: HTTPMethod = .get, _ fields: HTTPFields = [.acceptEncoding: "gzip"],
        configure: (inout HTTPServerCompression) -> Void = { _ in }
    ) throws -> HTTPResponse {
        var configuration = HTTPServerCompression()
        configure(&configuration)
        let responder = CompressingResponder(Source { _ in .response(response) }, configuration)
        let answer = responder.respond(to: HTTPRequest(method: method, target: "/", fields: fields))
        guard case .response(let compressed) = answer else {
            throw HTTPTestError("expected an immediate response, got a deferred one")
        }
        return compressed
    }

    private func json(_ bytes: [UInt8] = text, _ fields: HTTPFields = [:]) -> HTTPResponse {
        var all: HTTPFields = [.contentType: "application/json"]
        fields.forEach { name, value in all.append(checkedName: name, checkedValue: value) }
        return HTTPResponse(status: .ok, fields: all, body: .bytes(bytes))
    }

    private func bytes(_ response: HTTPResponse) -> [UInt8] {
        if case .bytes(let bytes) = response.body { bytes } else { [] }
    }

    private func isPlain(_ response: HTTPResponse) -> Bool {
        bytes(response) == Self.text && !response.fields.contains(.contentEncoding)
    }

    @Test(arguments: [("gzip", ContentCoding.gzip), ("gzip, br", .brotli), ("x-gzip", .gzip)])
    func `a response uses the requested coding`(_ accepted: String, _ coding: ContentCoding) throws {
        let response = try ask(json(), [.acceptEncoding: try #require(HTTPFieldValue(accepted))])
        #expect(response.fields.values(.contentEncoding) == [coding.token.string])
        #expect(response.fields.values(.vary) == ["accept-encoding"])
        #expect(response.fields.value(.contentType) == "application/json")
        #expect(bytes(response).count < Self.text.count / 10)
        #expect(try ContentDecoder.decode(bytes(response), coding) == Self.text)
    }

    @Test func `content of known length is encoded while it is sent`() throws {
        let source = json()
        for (accepted, coding) in [("gzip", ContentCoding.gzip), ("br", .brotli)] {
            var response = source
            response.body = .stream(SharedBytesBody(Self.text))
            response = try ask(response, [.acceptEncoding: try #require(HTTPFieldValue(accepted))])
            #expect(response.fields.value(.contentEncoding) == coding.token.string)
            guard case .stream(let body) = response.body else { throw HTTPTestError("expected a stream") }
            #expect(body.contentLength == nil)
            var compressed: [UInt8] = []
            while case .more = body.read(into: &compressed, limit: 1000) {}
            #expect(try ContentDecoder.decode(compressed, coding) == Self.text)
        }
        var plain = source
        plain.body = .stream(SharedBytesBody(Self.text))
        guard case .stream(let body) = try ask(plain, [:]).body else { throw HTTPTestError("expected a stream") }
        #expect(body.contentLength == Self.text.count)
    }

    @Test func `an encoder that is reused keeps nothing of the previous response`() throws {
        let source = Source { _ in .response(json()) }
        let responder = CompressingResponder(source, HTTPServerCompression())
        var answers: [[UInt8]] = []
        for _ in 0..<3 {
            let request = HTTPRequest(method: .get, target: "/", fields: [.acceptEncoding: "gzip"])
            if case .response(let response) = responder.respond(to: request) { answers.append(bytes(response)) }
        }
        #expect(Set(answers).count == 1 && answers.count == 3)
        #expect(try ContentDecoder.decode(answers[2], .gzip) == Self.text)
    }

    @Test func `a document that all responses share is compressed once`() throws {
        let responder = CompressingResponder(Source { _ in .response(json()) }, HTTPServerCompression())
        var places: [UnsafePointer<UInt8>?] = []
        for _ in 0..<4 {
            let request = HTTPRequest(method: .get, target: "/", fields: [.acceptEncoding: "br"])
            guard case .response(let response) = responder.respond(to: request) else { continue }
            #expect(try ContentDecoder.decode(bytes(response), .brotli) == Self.text)
            places.append(bytes(response).withUnsafeBufferPointer(\.baseAddress))
        }
        #expect(places.count == 4 && places[1] == places[2] && places[2] == places[3])
    }

    @Test func `a client that requests no coding gets none, and caches are notified of the alternatives`() throws {
        for fields in [[:], [.acceptEncoding: "identity"], [.acceptEncoding: "gzip;q=0"]] as [HTTPFields] {
            let response = try ask(json(), fields)
            #expect(isPlain(response) && response.fields.values(.vary) == ["accept-encoding"])
        }
    }

    @Test func `a small response is not compressed`() throws {
        let small = Array(Self.text.prefix(1023))
        let response = try ask(json(small))
        #expect(bytes(response) == small)
        #expect(!response.fields.contains(.contentEncoding) && !response.fields.contains(.vary))
        #expect(try ask(json(Array(Self.text.prefix(1024)))).fields.contains(.contentEncoding))
        #expect(try ask(json(small)) { $0.minimumBytes = 100 }.fields.contains(.contentEncoding))
    }

    @Test(arguments: [
        "text/html; charset=utf-8", "text/plain", "TEXT/CSS", "application/json;charset=utf-8",
        "application/problem+json", "image/svg+xml", "text/javascript", "application/openmetrics-text; version=1.0.0",
    ])
    func `text of any kind is compressed`(_ type: String) throws {
        let fields: HTTPFields = [.contentType: try #require(HTTPFieldValue(type))]
        let response = try ask(HTTPResponse(status: .ok, fields: fields, body: .bytes(Self.text)))
        #expect(response.fields.value(.contentEncoding) == "gzip")
    }

    @Test(arguments: ["image/png", "application/octet-stream", "video/mp4", "application/zip", "font/woff2", ""])
    func `content of a compressed or unknown type is not compressed`(_ type: String) throws {
        let fields: HTTPFields = [.contentType: try #require(HTTPFieldValue(type))]
        let response = try ask(HTTPResponse(status: .ok, fields: fields, body: .bytes(Self.text)))
        #expect(isPlain(response) && !response.fields.contains(.vary))
    }

    @Test func `content that would not become smaller is not compressed`() throws {
        var state: UInt64 = 1
        let noise = (0..<4096).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        let response = try ask(json(noise))
        #expect(bytes(response) == noise && !response.fields.contains(.contentEncoding))
        #expect(response.fields.value(.vary) == "accept-encoding")
    }

    @Test func `a no-transform, encoded, partial or negotiated response is unchanged`() throws {
        #expect(isPlain(try ask(json(Self.text, [.cacheControl: "no-store, No-Transform"]))))
        let other = HTTPResponse(
            status: .ok, fields: [.contentType: "text/plain", .cacheControl: "no-transform"],
            body: .stream(HTTPTestStream("a")))
        #expect(!(try ask(other) { $0.streams = .gzip }.fields.contains(.contentEncoding)))
        #expect(isPlain(try ask(json(Self.text, [.vary: "accept, Accept-Encoding"]))))
        #expect(isPlain(try ask(json(Self.text, [.contentRange: "bytes 0-1/2"]))))
        let compressed = try ask(json(Self.text, [.contentEncoding: "zstd"]))
        #expect(bytes(compressed) == Self.text && compressed.fields.values(.contentEncoding) == ["zstd"])
        var part = json()
        part.status = .partialContent
        #expect(isPlain(try ask(part)))
    }

    @Test func `Vary is extended unless it is an asterisk`() throws {
        #expect(try ask(json(Self.text, [.vary: "origin"])).fields.values(.vary) == ["origin", "accept-encoding"])
        #expect(try ask(json(Self.text, [.vary: "*"])).fields.values(.vary) == ["*"])
    }

    @Test func `problems and responses to POST are compressed`() throws {
        var response = json()
        response.status = .notFound
        #expect(try ask(response).fields.contains(.contentEncoding))
        #expect(try ask(json(), method: .post).fields.contains(.contentEncoding))
    }

    @Test func `a response to HEAD has the fields of a response to GET`() throws {
        let tagged = json(Self.text, [.eTag: "\"7\""])
        let get = try ask(tagged)
        let head = try ask(tagged, method: .head)
        #expect(head.fields == get.fields && bytes(head) == bytes(get))
    }

    @Test func `a client that rejects identity gets a coding even for small content`() throws {
        let small = Array("{}".utf8)
        let response = try ask(json(small), [.acceptEncoding: "gzip, identity;q=0"])
        #expect(try ContentDecoder.decode(bytes(response), .gzip) == small)
    }

    @Test func `a client that rejects all codings gets 406 for a safe request`() throws {
        for accepted in ["identity;q=0", "*;q=0", "zstd, *;q=0"] {
            let fields: HTTPFields = [.acceptEncoding: try #require(HTTPFieldValue(accepted))]
            #expect(try ask(json(), fields).status == .notAcceptable)
            #expect(try ask(json(), method: .head, fields).status == .notAcceptable)
            #expect(isPlain(try ask(json(), method: .post, fields)))
            var problem = json()
            problem.status = .gone
            #expect(try ask(problem, fields).status == .gone)
        }
    }

    @Test func `a deferred response is compressed when it is fulfilled`() throws {
        let promise = DeferredResponse()
        let responder = CompressingResponder(Source { _ in .deferred(promise) }, HTTPServerCompression())
        let request = HTTPRequest(method: .get, target: "/", fields: [.acceptEncoding: "gzip"])
        guard case .deferred(let compressed) = responder.respond(to: request) else {
            throw HTTPTestError("expected a deferred response")
        }
        var received: HTTPResponse?
        compressed.whenFulfilled { received = $0 }
        #expect(received == nil)
        promise.fulfil(json())
        #expect(received?.fields.value(.contentEncoding) == "gzip")
    }

    @Test func `without compression, responses and conditions are unchanged`() throws {
        #expect(isPlain(try ask(json()) { $0.answers = false }))
        let source = Source { _ in .response(HTTPResponse(status: .ok)) }
        var configuration = HTTPServerCompression()
        configuration.answers = false
        let fields: HTTPFields = [.ifNoneMatch: "\"7-gzip\""]
        _ = CompressingResponder(source, configuration).respond(
            to: HTTPRequest(method: .get, target: "/", fields: fields))
        #expect(source.asked[0].fields == fields)
    }

    // Tags

    @Test func `a strong tag names its coding, a weak one does not`() throws {
        #expect(try ask(json(Self.text, [.eTag: "\"7\""])).fields.values(.eTag) == ["\"7-gzip\""])
        #expect(
            try ask(json(Self.text, [.eTag: "\"7\""]), [.acceptEncoding: "br"]).fields.values(.eTag) == ["\"7-br\""])
        #expect(try ask(json(Self.text, [.eTag: "\"7\""]), [:]).fields.values(.eTag) == ["\"7\""])
        #expect(try ask(json(Self.text, [.eTag: "W/\"7\""])).fields.values(.eTag) == ["W/\"7\""])
    }

    @Test func `conditions with tags of encoded responses are passed on with the original tags`() throws {
        let source = Source { _ in .response(HTTPResponse(status: .ok)) }
        let responder = CompressingResponder(source, HTTPServerCompression())
        let fields: HTTPFields = [
            .ifMatch: "\"7-gzip\", \"8\"", .ifNoneMatch: "\"9-br\", W/\"1-gzip\"", .accept: "a/b",
        ]
        _ = responder.respond(to: HTTPRequest(method: .get, target: "/", fields: fields))
        #expect(source.asked[0].fields.value(.ifMatch) == "\"7-gzip\", \"8\", \"7\"")
        #expect(source.asked[0].fields.value(.ifNoneMatch) == "\"9-br\", W/\"1-gzip\", \"9\"")
        #expect(source.asked[0].fields.value(.accept) == "a/b")
        _ = responder.respond(to: HTTPRequest(method: .get, target: "/", fields: [.ifMatch: "\"7-br\", broken"]))
        #expect(source.asked.last?.fields.value(.ifMatch) == "\"7-br\", broken, \"7\"")
        for other in [[.ifMatch: "\"7\""], [.ifNoneMatch: "*"], [.ifNoneMatch: "\"x"]] as [HTTPFields] {
            _ = responder.respond(to: HTTPRequest(method: .get, target: "/", fields: other))
            #expect(source.asked.last?.fields == other)
        }
    }

    @Test(arguments: [
        ("\"7-gzip\"", "gzip", "\"7-gzip\""), ("\"7\"", "gzip", "\"7\""), ("\"7-br\"", "gzip", "\"7-br\""),
        ("\"7\", \"7-br\", \"7-gzip\"", "gzip", "\"7-gzip\""), ("\"7\", \"7-gzip\"", "identity", "\"7\""),
        ("*", "gzip", "\"7\""),
    ])
    func `304 has the tag that the client sent`(_ condition: String, _ accepted: String, _ expected: String) throws {
        let response = try ask(
            HTTPResponse(status: .notModified, fields: [.eTag: "\"7\""]),
            [
                .ifNoneMatch: try #require(HTTPFieldValue(condition)),
                .acceptEncoding: try #require(HTTPFieldValue(accepted)),
            ])
        #expect(response.fields.values(.eTag) == [expected])
        #expect(response.fields.values(.vary) == ["accept-encoding"])
        #expect(!response.fields.contains(.contentEncoding))
    }

    @Test func `a response that is compressed for each request does not support ranges`() throws {
        #expect(try ask(json(Self.text, [.acceptRanges: "bytes"])).fields.values(.acceptRanges) == ["none"])
        #expect(try ask(json(Self.text, [.acceptRanges: "bytes"]), [:]).fields.values(.acceptRanges) == ["bytes"])
    }

    // Streams

    private func events(_ body: HTTPResponseBody = .stream(HTTPTestStream("data: 1\n\n"))) -> HTTPResponse {
        HTTPResponse(
            status: .ok, fields: [.contentType: "text/event-stream", .cacheControl: "no-store, no-transform"],
            body: body)
    }

    @Test func `a stream is not compressed unless configured`() throws {
        let response = try ask(events())
        #expect(!response.fields.contains(.contentEncoding) && !response.fields.contains(.vary))
    }

    @Test(
        arguments: [
            (HTTPServerCompression.Streams.gzip, "br, gzip", Optional("gzip")), (.gzip, "br", nil),
            (.brotli, "br, gzip", "br"),
            (.brotli, "gzip", "gzip"), (.brotli, "identity", nil), (.gzip, "gzip;q=0", nil),
        ] as [(HTTPServerCompression.Streams, String, String?)])
    func `a stream uses the best of the configured codings`(
        _ streams: HTTPServerCompression.Streams, _ accepted: String, _ expected: String?
    ) throws {
        for method in [HTTPMethod.get, .head] {
            let response = try ask(
                events(method == .get ? .stream(HTTPTestStream()) : .empty), method: method,
                [.acceptEncoding: try #require(HTTPFieldValue(accepted))]
            ) { $0.streams = streams }
            #expect(response.fields.value(.contentEncoding) == expected)
            #expect(response.fields.values(.vary) == ["accept-encoding"])
        }
    }
}
