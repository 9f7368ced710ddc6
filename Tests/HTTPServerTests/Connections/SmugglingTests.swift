import HTTPModel
import HTTPServer
import HTTPServerTesting
import Synchronization
import Testing

@Suite struct SmugglingTests {
    private let smuggled = Counter()

    private func server() throws -> HTTPTestServer {
        try HTTPTestServer { [smuggled] request, _ in
            if request.target.hasSuffix("/smuggled") { smuggled.add() }
            return .response(HTTPResponse(status: .ok, body: .bytes(Array(request.target.utf8))))
        }
    }

    @Test func `an ambiguous request is rejected and its connection closed`() async throws {
        let server = try server()
        for shape in HTTPTestSmugglingShape.refused {
            let client = try server.connect()
            try client.send(shape.text)
            client.finishSending()
            let response = try client.receiveResponse()
            #expect((400...505).contains(response.status), "\(shape)")
            #expect(response.fields.value(.connection) == "close", "\(shape)")
            #expect(response.problemKind != nil, "\(shape)")
            #expect(try client.receiveToEnd().isEmpty, "\(shape)")
        }
        #expect(smuggled.count == 0)
        await server.shutdown()
    }

    @Test func `text inside a body is never parsed as a request`() async throws {
        let server = try server()
        for shape in HTTPTestSmugglingShape.harmless {
            let client = try server.connect()
            try client.send(shape.text + HTTPRequestText.get("/next"))
            let isHead = shape.text.hasPrefix("HEAD")
            #expect(try client.receiveResponse(toHead: isHead).status == 200, "\(shape)")
            #expect(try client.receiveResponse().text == "/next", "\(shape)")
        }
        #expect(smuggled.count == 0)
        await server.shutdown()
    }

    private final class Counter: Sendable {
        private let value = Atomic(0)

        var count: Int { value.load(ordering: .relaxed) }

        func add() { value.wrappingAdd(1, ordering: .relaxed) }
    }
}
