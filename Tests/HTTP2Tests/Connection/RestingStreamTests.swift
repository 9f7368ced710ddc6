import HTTPModel
import HTTPServerTesting
import Testing

@testable import HTTP2

/// Streams that wait for content, for which the library keeps nothing.
@Suite struct RestingStreamTests {
    private let client = RawClient()
    private let body = ScriptedBody()

    init() {
        client.answer = { [body] _ in HTTPResponse(status: .ok, body: .stream(body)) }
        client.send(.headers(1, RawClient.get))
    }

    private var stream: HTTP2Stream? { client.connection.find(1) }
    private var content: [String] { client.frames(Frame.Kind.data).map { String(decoding: $0.payload, as: UTF8.self) } }

    /// Appends content and has it sent.
    private func append(_ text: String) {
        body.append(text)
        client.step()
    }

    @Test func `a stream rests from its first wait to its first content, and again after the next sweep`() {
        #expect(stream?.rests == true && stream?.isDeferred == true)
        append("a")
        append("b")
        #expect(stream?.rests == false && stream?.isDeferred == true)
        client.pass(.seconds(5))
        #expect(stream?.rests == true && stream?.isDeferred == true)
        append("c")
        client.pass(.seconds(60))
        // No frame is sent for the rest itself.
        #expect(content == ["a", "b", "c"])
        #expect(client.connection.hasOutput == false)
        #expect(client.connection.awaitsContent)
    }

    @Test(arguments: [0, 5, 10]) func `a stream that rests ends with its body`(seconds: Int) {
        append("a")
        client.pass(.seconds(seconds))
        body.append("z")
        body.finish()
        client.step()
        #expect(content.joined() == "az")
        #expect(client.frames(Frame.Kind.data).last?.flags == 1)
        #expect(client.connection.streamCount == 0)
        #expect(client.resets.isEmpty)
    }

    @Test func `content that arrives between the sweep and the next output is sent once`() {
        append("a")
        client.reads = false
        client.pass(.seconds(5))
        body.append("b")
        client.reads = true
        client.step()
        #expect(content == ["a", "b"])
        append("c")
        #expect(content == ["a", "b", "c"])
    }

    @Test func `a stream that rests can be cancelled, and content after that is dropped`() {
        client.send(.reset(1))
        #expect(body.isStopped)
        append("late")
        #expect(content.isEmpty)
        #expect(client.connection.streamCount == 0)
    }

    @Test func `a stream that rests sends as much as the window permits`() {
        let client = RawClient(settings: [(4, 10)])
        client.answer = { [body] _ in HTTPResponse(status: .ok, body: .stream(body)) }
        client.send(.headers(1, RawClient.get))
        body.append(String(repeating: "x", count: 25))
        client.step()
        client.pass(.seconds(5))
        for _ in 0..<3 { client.send(.windowUpdate(1, by: 10)) }
        #expect(client.frames(Frame.Kind.data).map(\.payload.count) == [10, 10, 5])
    }

    // A size of the allocator's blocks, without the eight bytes that it adds.
    @Test func `a stream keeps within its block`() throws {
        let stream = try #require(stream)
        // The metadata of a class: the kind, the superclass, the flags and the address point of its instances, and their size.
        let size = unsafeBitCast(type(of: stream), to: UnsafeRawPointer.self).load(fromByteOffset: 24, as: UInt32.self)
        #expect(size <= 104)
    }
}
