import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

@Suite struct StaticContentTests {
    private static let text = Array((0..<500).map { "line \($0) of a page\n" }.joined().utf8)
    private let page = StaticContent(text, contentType: "text/html", fields: [.xContentTypeOptions: "nosniff"])

    private func ask(
        _ fields: HTTPFields = [:], method: HTTPMethod = .get, of content: StaticContent? = nil
    ) -> HTTPResponse {
        (content ?? page).response(to: HTTPRequest(method: method, target: "/page", fields: fields))
    }

    private func bytes(_ response: HTTPResponse) -> [UInt8] {
        if case .bytes(let bytes) = response.body { bytes } else { [] }
    }

    private func tag(_ fields: HTTPFields = [:]) throws -> String { try #require(ask(fields).fields.value(.eTag)) }

    private func value(_ text: String) throws -> HTTPFieldValue { try #require(HTTPFieldValue(text)) }

    @Test func `content is sent with the fields that clients and caches need`() throws {
        let response = ask()
        #expect(response.status == .ok && bytes(response) == Self.text)
        #expect(response.fields.value(.contentType) == "text/html")
        #expect(response.fields.value(.cacheControl) == "no-cache")
        #expect(response.fields.value(.acceptRanges) == "bytes")
        #expect(response.fields.value(.vary) == "accept-encoding")
        #expect(response.fields.value(.xContentTypeOptions) == "nosniff")
        #expect(!response.fields.contains(.contentEncoding))
        #expect(HTTPEntityTag(fieldValue: try tag())?.isWeak == false)
    }

    @Test func `immutable content is marked as immutable`() {
        let content = StaticContent(Self.text, contentType: "text/css", freshness: .immutable)
        #expect(ask(of: content).fields.value(.cacheControl) == "public, max-age=31536000, immutable")
    }

    @Test func `content uses the preferred coding, each with its own tag`() throws {
        var tags: Set<String> = [try tag()]
        for (accepted, coding) in [("gzip", ContentCoding.gzip), ("gzip, br", .brotli), ("br;q=0.1, gzip", .gzip)] {
            let response = ask([.acceptEncoding: try value(accepted)])
            #expect(response.fields.values(.contentEncoding) == [coding.token.string])
            #expect(response.fields.values(.vary) == ["accept-encoding"])
            #expect(try ContentDecoder.decode(bytes(response), coding) == Self.text)
            tags.insert(try #require(response.fields.value(.eTag)))
        }
        #expect(tags.count == 3)
    }

    @Test func `responses share the stored content`() {
        let addresses = (0..<2).map { _ in bytes(ask()).withUnsafeBytes { $0.baseAddress } }
        #expect(addresses[0] == addresses[1])
    }

    @Test func `incompressible content has one representation only`() {
        for (type, content) in [("image/png", Self.text), ("text/plain", Array("short".utf8))] {
            let plain = StaticContent(content, contentType: HTTPFieldValue(type) ?? "")
            let response = ask([.acceptEncoding: "gzip, br"], of: plain)
            #expect(bytes(response) == content)
            #expect(!response.fields.contains(.vary) && !response.fields.contains(.contentEncoding))
        }
    }

    @Test func `a client that rejects identity gets a coding or 406`() throws {
        #expect(ask([.acceptEncoding: "gzip, identity;q=0"]).fields.value(.contentEncoding) == "gzip")
        let refused = ask([.acceptEncoding: "identity;q=0"])
        #expect(refused.status == .notAcceptable && refused.fields.value(.vary) == "accept-encoding")
        let plain = StaticContent(Array("short".utf8), contentType: "text/plain")
        #expect(ask([.acceptEncoding: "gzip, *;q=0"], of: plain).status == .notAcceptable)
    }

    @Test func `different content has a different tag and a different name`() throws {
        let other = StaticContent(Self.text + [10], contentType: "text/html")
        #expect(try ask(of: other).fields.value(.eTag) != tag())
        #expect(StaticContent.fingerprint(of: Self.text) != StaticContent.fingerprint(of: Self.text + [10]))
        #expect(StaticContent.fingerprint(of: Self.text) == StaticContent.fingerprint(of: Self.text))
    }

    // Methods

    @Test func `HEAD has the fields of GET and ignores ranges`() throws {
        for fields in [[:], [.acceptEncoding: "br"], [.range: "bytes=0-1"]] as [HTTPFields] {
            let head = ask(fields, method: .head)
            var whole = fields
            whole[.range] = nil
            #expect(head.status == .ok && head.fields == ask(whole).fields && bytes(head) == bytes(ask(whole)))
        }
    }

    @Test func `OPTIONS and unsupported methods get the list of allowed methods`() {
        let options = ask(method: .options)
        #expect(options.status == .noContent && options.fields.value(.allow) == "GET, HEAD, OPTIONS")
        for method in [HTTPMethod.post, .put, .delete, .patch, .trace] {
            let refusal = ask([.ifNoneMatch: "*", .range: "bytes=0-1"], method: method)
            #expect(refusal.status == .methodNotAllowed && refusal.fields.value(.allow) == "GET, HEAD, OPTIONS")
        }
    }

    // Conditions

    @Test func `a matching If-None-Match gets 304 with the fields that caches need`() throws {
        for accepted in ["identity", "gzip", "br"] {
            let tag = try tag([.acceptEncoding: try value(accepted)])
            for condition in [tag, "W/\(tag)", "\"a,b\", \(tag)", "*"] {
                for method in [HTTPMethod.get, .head] {
                    let response = ask(
                        [.acceptEncoding: try value(accepted), .ifNoneMatch: try value(condition)], method: method)
                    #expect(response.status == .notModified && bytes(response).isEmpty)
                    #expect(response.fields.value(.eTag) == tag)
                    #expect(response.fields.value(.vary) == "accept-encoding")
                    #expect(response.fields.value(.cacheControl) == "no-cache")
                    #expect(!response.fields.contains(.contentType) && !response.fields.contains(.contentEncoding))
                }
            }
        }
    }

    @Test func `a tag of another coding or of other content gets the content`() throws {
        let gzip = try tag([.acceptEncoding: "gzip"])
        for condition in [gzip, "\"other\"", "nonsense", ""] {
            #expect(ask([.ifNoneMatch: try value(condition)]).status == .ok)
        }
    }

    @Test func `a failed If-Match takes precedence over other conditions`() throws {
        let tag = try tag()
        for condition in [tag, "\"x\", \(tag)", "*"] { #expect(ask([.ifMatch: try value(condition)]).status == .ok) }
        for condition in ["\"other\"", "W/\(tag)", "nonsense"] {
            let fields: HTTPFields = [.ifMatch: try value(condition), .ifNoneMatch: "*", .range: "bytes=0-1"]
            #expect(ask(fields).status == .preconditionFailed)
        }
        #expect(ask([.ifMatch: try value(tag), .ifNoneMatch: try value(tag)]).status == .notModified)
    }

    @Test func `conditions with dates are ignored for content without a date`() {
        let fields: HTTPFields = [
            "if-modified-since": "Sat, 29 Oct 2094 19:43:31 GMT",
            "if-unmodified-since": "Sat, 29 Oct 1994 19:43:31 GMT",
        ]
        #expect(ask(fields).status == .ok)
    }

    // Parts

    @Test(arguments: [
        ("bytes=0-9", 0..<10), ("bytes=-5", 9385..<9390), ("bytes=9380-", 9380..<9390), ("bytes=0-99999", 0..<9390),
    ])
    func `a single range is sent with its position`(_ range: String, _ expected: Range<Int>) throws {
        #expect(Self.text.count == 9390)
        let response = ask([.range: try value(range)])
        #expect(response.status == .partialContent && bytes(response) == Array(Self.text[expected]))
        let place = "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/9390"
        #expect(response.fields.values(.contentRange) == [place])
        #expect(response.fields.value(.contentType) == "text/html")
        #expect(try response.fields.value(.eTag) == tag())
    }

    @Test func `the ranges of a coding add up to the encoded content`() throws {
        for accepted in ["gzip", "br"] {
            let whole = bytes(ask([.acceptEncoding: try value(accepted)]))
            var joined: [UInt8] = []
            while joined.count < whole.count {
                let range = try value("bytes=\(joined.count)-\(joined.count + 99)")
                let part = ask([.acceptEncoding: try value(accepted), .range: range])
                #expect(part.status == .partialContent && part.fields.contains(.contentEncoding))
                joined += bytes(part)
            }
            #expect(joined == whole)
        }
    }

    @Test func `several ranges are sent in one multipart message`() throws {
        let response = ask([.range: "bytes=0-4,20-24,-3"])
        #expect(response.status == .partialContent && !response.fields.contains(.contentRange))
        let type = try #require(response.fields.value(.contentType))
        let boundary = try #require(type.split(separator: "boundary=").last)
        #expect(type == "multipart/byteranges; boundary=\(boundary)" && boundary.utf8.count <= 70)
        let parts = String(decoding: bytes(response), as: UTF8.self).components(splitBy: "\r\n--\(boundary)")
        #expect(parts.first == "" && parts.last == "--\r\n" && parts.count == 5)
        for (part, range) in zip(parts.dropFirst(), [0..<5, 20..<25, 9387..<9390]) {
            let expected =
                "\r\ncontent-type: text/html\r\ncontent-range: bytes \(range.lowerBound)-\(range.upperBound - 1)/9390"
                + "\r\n\r\n" + String(decoding: Self.text[range], as: UTF8.self)
            #expect(part == expected)
        }
        #expect(ask([.range: "bytes=0-4,99999-"]).fields.contains(.contentRange))
    }

    @Test func `an unsatisfiable range gets 416 with the length`() {
        let response = ask([.range: "bytes=9390-"])
        #expect(response.status == .rangeNotSatisfiable)
        #expect(response.fields.values(.contentRange) == ["bytes */9390"])
        #expect(response.fields.value(.contentType) == "application/problem+json")
    }

    @Test func `an invalid or repeated Range field is ignored`() {
        #expect(ask([.range: "bytes=5-4"]).status == .ok)
        #expect(ask([.range: "bytes=0-1", .range: "bytes=2-3"]).status == .ok)
    }

    @Test func `a range is ignored if If-Range does not match`() throws {
        let tag = try tag()
        #expect(ask([.range: "bytes=0-1", .ifRange: try value(tag)]).status == .partialContent)
        for condition in ["W/\(tag)", "\"other\"", "Sat, 29 Oct 1994 19:43:31 GMT", "\(tag), \(tag)", ""] {
            #expect(ask([.range: "bytes=0-1", .ifRange: try value(condition)]).status == .ok)
            #expect(ask([.range: "bytes=99999-", .ifRange: try value(condition)]).status == .ok)
        }
        #expect(ask([.ifRange: try value(tag)]).status == .ok)
        #expect(ask([.range: "bytes=0-1", .ifNoneMatch: try value(tag)]).status == .notModified)
    }
}

extension String {
    fileprivate func components(splitBy separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
