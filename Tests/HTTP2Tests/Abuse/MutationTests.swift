import HTTP2
import HTTPModel
import HTTPServerTesting
import Testing

/// Almost valid frames. The connection either continues or ends with a reason.
@Suite struct MutationTests {
    private static func conversation(_ random: inout Generator) -> [UInt8] {
        (0..<12).flatMap { index -> [UInt8] in
            // Mostly a new stream, so that few conversations end at the first frame.
            let isNew = UInt8.random(in: 0...9, using: &random) > 0
            let stream = isNew ? Int32(2 * index + 1) : Int32.random(in: 0...9, using: &random)
            let content = Array(repeating: UInt8(7), count: Int.random(in: 0...40, using: &random))
            let frames: [Frame] = [
                .headers(stream, RawClient.get), .headers(stream, RawClient.post, endsStream: false),
                .headers(stream, RawClient.post, endsStream: false, endsHeaders: false),
                .continuation(stream, Frame.encode([("x-a", "b")]), endsHeaders: true),
                .data(stream, content, endsStream: Bool.random(using: &random)), .reset(stream), .ping(),
                .settings([(UInt16.random(in: 1...9, using: &random), UInt32.random(in: 0...100_000, using: &random))]),
                .windowUpdate(stream, by: UInt32.random(in: 0...UInt32.max, using: &random)),
                .priority(stream, on: stream), Frame(kind: Frame.Kind.goAway, payload: content),
                Frame(
                    kind: UInt8.random(in: 0...12, using: &random), flags: UInt8.random(in: 0...255, using: &random),
                    stream: stream, payload: content),
            ]
            let isRequest = UInt8.random(in: 0...1, using: &random) == 0
            return frames[isRequest ? 0 : Int.random(in: 0..<frames.count, using: &random)].bytes
        }
    }

    @Test func `corrupted frames in any order are handled or end the connection with a reason`() {
        var reasons: Set<HTTP2Ending> = []
        var answered = 0
        for seed in 0..<400 as Range<UInt64> {
            var random = Generator(state: seed)
            let client = RawClient()
            client.answer = { request in
                let body: HTTPResponseBody = request.method == .post ? .stream(EndlessBody(count: 3000)) : .empty
                return HTTPResponse(status: .ok, body: body)
            }
            var bytes = MutationTests.conversation(&random)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            while !bytes.isEmpty {
                let count = Int.random(in: 1...bytes.count, using: &random)
                client.send(Array(bytes.prefix(count)))
                bytes.removeFirst(count)
            }
            answered += client.requests.count
            #expect(client.connection.streamCount <= HTTP2Limits().concurrentStreams)
            client.pass(.seconds(300))
            // The timeouts end every connection without a stream.
            #expect(client.connection.isFinished || client.connection.streamCount > 0, "seed \(seed)")
            if let ending = client.connection.ending { reasons.insert(ending) }
            client.connection.close()
            #expect(client.connection.streamCount == 0)
        }
        // The mutations cover enough outcomes.
        #expect(reasons.count >= 5, "\(reasons)")
        #expect(answered > 200)
    }
}
