import HTTPModel
import HTTPServer
import HTTPServerTesting
import Testing

@Suite struct HandOffTests {
    /// Responds to `/0…` on loop 0 and to `/1…` on loop 1, with the index of the loop.
    private func server(stream: HTTPTestStream = HTTPTestStream()) throws -> HTTPTestServer {
        try HTTPTestServer(
            placement: { request in request.target.dropFirst().first?.wholeNumberValue },
            respond: { request, loop in
                if request.target.hasSuffix("stream") {
                    return .response(
                        HTTPResponse(status: .ok, fields: [.contentType: "text/event-stream"], body: .stream(stream)))
                }
                let text = "\(loop.index) \(loop.isCurrent) \(request.target) \(request.body.count)"
                return .response(HTTPResponse(status: .ok, body: .bytes(Array(text.utf8))))
            })
    }

    @Test func `every request is answered on the loop of its placement`() async throws {
        let server = try server()
        let client = try server.connect()
        for number in 0..<40 {
            let target = "/\(number % 2)/\(number)"
            try client.send("POST \(target) HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc")
            #expect(try client.receiveResponse().text == "\(number % 2) true \(target) 3")
        }
        #expect(server.connectionCount == 1)
        await server.shutdown()
    }

    @Test func `pipelined requests for several loops are answered in order`() async throws {
        let server = try server()
        let client = try server.connect()
        let numbers = 0..<500
        try client.send(numbers.map { "GET /\($0 * 7 % 3 % 2)/\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined())
        for number in numbers {
            let loop = number * 7 % 3 % 2
            #expect(try client.receiveResponse().text == "\(loop) true /\(loop)/\(number) 0")
        }
        await server.shutdown()
    }

    @Test func `many connections move back and forth without loss`() async throws {
        let server = try server()
        let clients = try (0..<40).map { _ in try server.connect() }
        for round in 0..<25 {
            for (number, client) in clients.enumerated() {
                try client.send("GET /\((round + number) % 2)/x HTTP/1.1\r\nHost: h\r\n\r\n")
            }
            for (number, client) in clients.enumerated() {
                #expect(
                    try client.receiveResponse().text == "\((round + number) % 2) true /\((round + number) % 2)/x 0")
            }
        }
        #expect(server.connectionCount == 40)
        await server.shutdown()
    }

    @Test(arguments: [0, 1])
    func `a stream is sent on the loop of its placement`(_ index: Int) async throws {
        let stream = HTTPTestStream("data: 1\n\n")
        let server = try server(stream: stream)
        let client = try server.connect()
        try client.send(
            "GET /\(1 - index)/x HTTP/1.1\r\nHost: h\r\n\r\nGET /\(index)/stream HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveResponse().status == 200)
        _ = try client.receiveHead()
        #expect(try client.receiveEvents(1).map(\.data) == ["1"])
        await server.onLoop(index) { _ in stream.append("data: 2\n\n") }
        #expect(try client.receiveEvents(1).map(\.data) == ["2"])
        client.close()
        #expect(await eventually { await server.onLoop(index) { _ in stream.isStopped } })
        await server.shutdown()
    }

    @Test func `an invalid loop index selects any loop`() async throws {
        let server = try server()
        let client = try server.connect()
        try client.send("GET /9 HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveResponse().text.hasSuffix("true /9 0"))
        await server.shutdown()
    }
}
