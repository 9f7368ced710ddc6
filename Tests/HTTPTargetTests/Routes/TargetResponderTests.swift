import HTTPModel
import HTTPServerTesting
import Testing

@testable import HTTPTarget

/// All routes, over every protocol of the server.
@Suite struct TargetResponderTests {
    @Test(arguments: TargetWire.allCases)
    func `the document has 2,048 bytes`(_ wire: TargetWire) async throws {
        let target = try RunningTarget()
        let got = try target.ask("/", over: wire)
        #expect(got.status == 200)
        #expect(got.body.count == 2048)
        #expect(got.text.split(separator: "\n").count == 32)
        let head = try target.ask("/", method: "HEAD", over: wire)
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
        #expect(head.fields.value(.contentLength) == "2048")
        let posted = try target.ask("/", method: "POST", over: wire, body: Array("content".utf8))
        #expect(posted.status == 200)
        #expect(posted.body == got.body)
        await target.server.shutdown()
    }

    @Test(arguments: TargetWire.allCases)
    func `the document supports conditional requests`(_ wire: TargetWire) async throws {
        let target = try RunningTarget()
        let tag = try #require(try target.ask("/", over: wire).fields.value(.eTag))
        func status(_ method: String, _ name: String, _ value: String) throws -> Int {
            try target.ask("/", method: method, over: wire, fields: [(name, value)]).status
        }
        for match in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
            #expect(try status("GET", "if-none-match", match) == 304)
            #expect(try status("HEAD", "if-none-match", match) == 304)
            #expect(try status("POST", "if-none-match", match) == 412)
        }
        #expect(try status("GET", "if-none-match", "\"other\"") == 200)
        #expect(try status("GET", "if-match", "\"other\"") == 412)
        #expect(try status("GET", "if-match", "W/\(tag)") == 412)
        #expect(try status("GET", "if-match", tag) == 200)
        #expect(try status("GET", "if-match", "*") == 200)
        await target.server.shutdown()
    }

    @Test(arguments: TargetWire.allCases)
    func `every method is echoed with its content`(_ wire: TargetWire) async throws {
        let target = try RunningTarget()
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW", "!#$%&'*+-.^_`|~"] {
            let content = Array("of \(method)\0<script>".utf8)
            let answer = try target.ask("/echo", method: method, over: wire, body: content)
            #expect(answer.status == 200)
            #expect(answer.body == content)
            #expect(answer.fields.value("echo-method") == method)
            #expect(answer.fields.value("echo-length") == "\(content.count)")
            #expect(answer.fields.value(.contentType) == "application/octet-stream")
        }
        let empty = try target.ask("/echo", method: "POST", over: wire)
        #expect(empty.fields.value(.contentLength) == "0")
        let head = try target.ask("/echo", method: "HEAD", over: wire)
        #expect(head.status == 200 && head.body.isEmpty)
        await target.server.shutdown()
    }

    @Test(arguments: TargetWire.allCases)
    func `the fields of a request are listed as data`(_ wire: TargetWire) async throws {
        let target = try RunningTarget()
        let answer = try target.ask("/headers?a=b", over: wire, fields: [("x-name", "\"</script>\\"), ("x-name", "2")])
        #expect(answer.text.contains(#"["x-name","\"</script>\\"],["x-name","2"]"#))
        #expect(answer.text.hasPrefix(#"{"method":"GET","scheme":"\#(wire.isSecure ? "https" : "http")","authority":"#))
        #expect(answer.text.contains(#""target":"/headers?a=b""#))
        #expect(answer.fields.value(.contentType) == "application/json")
        #expect(answer.fields.value(.xContentTypeOptions) == "nosniff")
        #expect(answer.fields.value(.cacheControl) == "no-store")
        await target.server.shutdown()
    }

    @Test(arguments: TargetWire.allCases)
    func `each cookie is set in a separate field and listed`(_ wire: TargetWire) async throws {
        let target = try RunningTarget()
        let answer = try target.ask("/cookies", over: wire, fields: [("cookie", "a=1; b=x=y; c")])
        #expect(answer.text == "{\"cookies\":[[\"a\",\"1\"],[\"b\",\"x=y\"],[\"c\",\"\"]]}\n")
        let set = answer.fields.values("set-cookie")
        #expect(set.count == 2)
        #expect(set.allSatisfy { $0.hasSuffix("; Secure") == wire.isSecure && $0.contains("HttpOnly") })
        #expect(try target.ask("/cookies", over: wire).text == "{\"cookies\":[]}\n")
        await target.server.shutdown()
    }

    @Test func `cookie fields of HTTP/2 are joined`() async throws {
        let target = try RunningTarget()
        let answer = try target.ask(
            "/cookies", over: .http2, fields: [("cookie", "a=1"), ("cookie", "b=2"), ("cookie", "c=3")])
        #expect(answer.text == "{\"cookies\":[[\"a\",\"1\"],[\"b\",\"2\"],[\"c\",\"3\"]]}\n")
        let listed = try target.ask("/headers", over: .http2, fields: [("cookie", "a=1"), ("cookie", "b=2")])
        #expect(listed.text.contains(#"["cookie","a=1; b=2"]"#))
        await target.server.shutdown()
    }

    @Test(arguments: TargetWire.allCases)
    func `streamed content arrives complete at a half-closed client`(_ wire: TargetWire) async throws {
        let target = try RunningTarget()
        for _ in 0..<20 {
            let client = try target.connect(wire)
            if wire.isHTTP2 {
                let session = HTTP2TestClient()
                let stream = session.request("GET", "/large?bytes=3000")
                try client.send(session.takeOutput())
                client.finishSending()
                #expect(session.receive(try client.receiveToEnd()))
                #expect(session.answers[stream]?.body.count == 3000)
                #expect(session.answers[stream]?.isWhole == true)
            } else {
                try client.send("GET /large?bytes=3000 HTTP/1.1\r\nHost: localhost\r\n\r\n")
                client.finishSending()
                #expect(try client.receiveResponse().body.count == 3000)
                #expect(try client.receiveToEnd().isEmpty)
            }
        }
        await target.server.shutdown()
    }

    @Test(arguments: TargetWire.allCases)
    func `a slow response is sent after its delay`(_ wire: TargetWire) async throws {
        let target = try RunningTarget()
        let start = ContinuousClock.now
        #expect(try target.ask("/slow?seconds=0.2", over: wire).status == 200)
        #expect(ContinuousClock.now - start >= .milliseconds(190))
        for wrong in ["-1", "61", "nan", "inf", "x", ""] {
            #expect(try target.ask("/slow?seconds=\(wrong)", over: wire).status == 400)
        }
        await target.server.shutdown()
    }

    @Test(arguments: TargetWire.allCases)
    func `a large body arrives complete`(_ wire: TargetWire) async throws {
        let target = try RunningTarget()
        let body = try target.ask("/large?bytes=3000000", over: wire).body
        #expect(body.count == 3_000_000)
        #expect(body.indices.allSatisfy { body[$0] == UInt8($0 % 251) })
        #expect(try target.ask("/large?bytes=0", over: wire).body.isEmpty)
        #expect(try target.ask("/large?bytes=99999999999", over: wire).status == 400)
        #expect(try target.ask("/large", method: "HEAD", over: wire).status == 200)
        await target.server.shutdown()
    }

    @Test(arguments: TargetWire.allCases)
    func `unknown paths and methods get problems`(_ wire: TargetWire) async throws {
        let target = try RunningTarget()
        let missing = try target.ask("/elsewhere", over: wire)
        #expect(missing.status == 404)
        #expect(missing.fields.value(.contentType) == "application/problem+json")
        for path in ["/", "/headers", "/cookies", "/slow", "/large", "/events"] {
            let refused = try target.ask(path, method: "DELETE", over: wire)
            #expect(refused.status == 405)
            #expect(refused.fields.value(.allow)?.hasPrefix("GET, HEAD") == true)
            let options = try target.ask(path, method: "OPTIONS", over: wire)
            #expect(options.status == 204)
            #expect(options.fields.value(.allow) == refused.fields.value(.allow))
        }
        #expect(try target.ask("*", method: "OPTIONS", over: wire).status == 204)
        await target.server.shutdown()
    }
}
