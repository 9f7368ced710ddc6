import HTTP2
import HTTPModel
import HTTPServerTesting
import Testing

@Suite struct MessageTests {
    @Test(arguments: MessageSample.all)
    func `a request is accepted, refused or reset as the standard requires`(_ sample: MessageSample) {
        let client = RawClient()
        client.send(.headers(1, sample.fields))
        #expect(client.errors == [sample.error].compactMap { $0 })
        #expect(client.refusals == [sample.refusal].compactMap { $0 })
        let requests = client.requests.map { "\($0.method.rawValue) \($0.target) \($0.authority)" }
        #expect(requests == [sample.request].compactMap { $0 })
        let answers = client.frames(Frame.Kind.headers, on: 1)
        #expect(answers.count == (sample.error == nil ? 1 : 0))
        let resets = client.frames(Frame.Kind.reset, on: 1).map(\.code)
        #expect(resets == (sample.error == nil ? [] : [HTTP2ErrorCode.protocolError.rawValue]))
        #expect(client.connection.ending == nil)
        #expect(client.connection.streamCount == 0)
    }

    @Test func `a connection continues after a malformed request`() {
        let client = RawClient()
        client.send(.headers(1, RawClient.get + [("X", "1")]), .headers(3, RawClient.get))
        #expect(client.errors == [.fieldName])
        #expect(client.requests.count == 1)
    }

    @Test func `every error has a sample or a test of its own`() {
        let bySample = Set(MessageSample.all.compactMap(\.error))
        let byTest: Set<HTTP2MessageError> = [.pseudoFieldInTrailers, .trailersWithoutEnd]
        let ofResponses: Set<HTTP2MessageError> = [.status, .contentBeforeHead]
        #expect(bySample.union(byTest).union(ofResponses) == Set(HTTP2MessageError.allCases))
    }

    @Test(arguments: HTTP2Refusal.allCases)
    func `every refusal maps to a problem`(_ refusal: HTTP2Refusal) {
        #expect((400...501).contains(refusal.problem.status.code))
        #expect(!refusal.problem.detail.isEmpty)
    }

    @Test func `fields keep their order and cookies are joined`() throws {
        let client = RawClient()
        client.send(
            .headers(
                1, RawClient.get + [("x-b", "1"), ("cookie", "a=1"), ("x-a", "2"), ("cookie", ""), ("cookie", "b=2")]))
        let request = try #require(client.requests.first)
        #expect(request.fields == ["x-b": "1", "x-a": "2", "cookie": "a=1; b=2"])
        #expect(request.scheme == "http")
    }

    @Test(arguments: [
        (2, [1], true, HTTP2MessageError?.some(.bodyLength)), (2, [1, 2], true, .some(.bodyLength)),
        (2, [3], true, .some(.bodyLength)), (2, [3], false, .some(.bodyLength)), (3, [1, 2], true, nil),
        (0, [0], true, nil),
        (0, [1], true, .some(.bodyLength)),
    ])
    func `the length of a body must match its content-length`(
        _ length: Int, _ parts: [Int], _ ends: Bool, _ error: HTTP2MessageError?
    ) {
        let client = RawClient()
        client.send(.headers(1, RawClient.post + [("content-length", String(length))], endsStream: false))
        for (index, part) in parts.enumerated() {
            let isLast = ends && index == parts.count - 1
            client.send(.data(1, Array(repeating: 0x61, count: part), endsStream: isLast))
        }
        #expect(client.errors.first == error)
        #expect(client.requests.count == (error == nil ? 1 : 0))
        #expect(client.frames(Frame.Kind.headers).count == (error == nil ? 1 : 0))
    }

    @Test func `padding is not part of a body`() throws {
        let client = RawClient()
        client.send(.headers(1, RawClient.post + [("content-length", "2")], endsStream: false))
        client.send(
            Frame(
                kind: Frame.Kind.data, flags: Frame.endStream | Frame.padded, stream: 1,
                payload: [3] + Array("hi".utf8) + [0, 0, 0]))
        #expect(client.requests.first?.body == Array("hi".utf8))
    }

    @Test func `trailers end a body and are kept separate`() {
        let client = RawClient()
        client.send(
            .headers(1, RawClient.post, endsStream: false), .data(1, Array("hi".utf8), endsStream: false),
            .headers(1, [("host", "evil"), ("x-t", "1"), ("cookie", "a=b"), ("expect", "magic"), ("x-t", "2")]))
        #expect(client.requests.first?.body == Array("hi".utf8))
        #expect(client.requests.first?.authority == "h")
        #expect(client.requests.first?.fields.isEmpty == true)
        #expect(client.requests.first?.trailers == ["x-t": "1", "x-t": "2"])
        #expect(client.refusals.isEmpty)
    }

    @Test func `the expectation of a client is compared without regard to case`() {
        let client = RawClient()
        client.send(.headers(1, RawClient.post + [("expect", "100-Continue")], endsStream: false))
        client.send(.data(1, Array("hi".utf8)))
        #expect(client.requests.count == 1 && client.refusals.isEmpty)
        // The interim response and the final response.
        #expect(client.frames(Frame.Kind.headers).count == 2)
    }

    @Test func `trailers must end the stream and contain no pseudo-fields or connection fields`() {
        let trailers: [([(String, String)], Bool, HTTP2MessageError)] = [
            ([(":path", "/")], true, .pseudoFieldInTrailers), ([("x-t", "1")], false, .trailersWithoutEnd),
            ([("connection", "close")], true, .connectionField), ([("X", "1")], true, .fieldName),
            ([("x-t", " 1")], true, .fieldValue),
        ]
        for (fields, ends, error) in trailers {
            let client = RawClient()
            client.send(.headers(1, RawClient.post, endsStream: false), .headers(1, fields, endsStream: ends))
            #expect(client.errors == [error])
            #expect(client.requests.isEmpty)
            #expect(client.frames(Frame.Kind.headers).isEmpty)
        }
    }

    @Test func `a body followed by trailers must match its content-length`() {
        let client = RawClient()
        client.send(
            .headers(1, RawClient.post + [("content-length", "3")], endsStream: false),
            .data(1, Array("hi".utf8), endsStream: false), .headers(1, [("x-t", "1")]))
        #expect(client.errors == [.bodyLength])
        #expect(client.requests.isEmpty)
    }
}
