import HTTPModel
import HTTPServerTesting
import Testing

@testable import HTTPServer

@Suite struct CompressedBodyStreamTests {
    private final class Consumer: HTTPBodyConsumer {
        var calls = 0
        func bodyIsReady() { calls += 1 }
    }

    private let consumer = Consumer()
    private let room = CompressedBodyStream.Room()

    private func compressed(_ content: any HTTPBodyStream, _ coding: ContentCoding = .gzip) -> CompressedBodyStream {
        CompressedBodyStream(content, coding, .stream(windowBytes: 4096), room)
    }

    private func isWaiting(_ progress: HTTPBodyProgress) -> Bool { if case .waiting = progress { true } else { false } }
    private func isFinished(_ progress: HTTPBodyProgress) -> Bool {
        if case .finished = progress { true } else { false }
    }
    private func isMore(_ progress: HTTPBodyProgress) -> Bool { if case .more = progress { true } else { false } }

    @Test(arguments: ContentCoding.allCases)
    func `each event and comment can be decoded as soon as it is read`(_ coding: ContentCoding) throws {
        let content = HTTPTestStream()
        let stream = compressed(content, coding)
        stream.start(consumer)
        #expect(content.hasStarted)
        let decoder = ContentDecoder(coding)
        for (index, text) in ["data: 1\n\n", ": keep-alive\n\n", "data: 2\n\n"].enumerated() {
            content.append(text)
            #expect(consumer.calls == index + 1)
            var buffer: [UInt8] = []
            #expect(isWaiting(stream.read(into: &buffer, limit: 1000)))
            var decoded: [UInt8] = []
            try decoder.decode(buffer, into: &decoded)
            #expect(String(decoding: decoded, as: UTF8.self) == text)
        }
    }

    @Test func `an empty stream produces no output`() {
        let stream = compressed(HTTPTestStream())
        stream.start(consumer)
        var buffer: [UInt8] = [1]
        for _ in 0..<3 { #expect(isWaiting(stream.read(into: &buffer, limit: 1000))) }
        #expect(buffer == [1])
    }

    @Test func `content is read and compressed only on demand`() {
        let content = HTTPTestStream(endless: 7)
        let stream = compressed(content)
        stream.start(consumer)
        #expect(content.bytesRead == 0)
        var buffer: [UInt8] = []
        #expect(isMore(stream.read(into: &buffer, limit: 1000)))
        #expect(content.bytesRead == 1000 && content.reads == 1)
        #expect(!buffer.isEmpty && buffer.count < 200)
    }

    @Test(arguments: ContentCoding.allCases)
    func `the end of the content ends the coding`(_ coding: ContentCoding) throws {
        let content = HTTPTestStream("all of it")
        content.finish()
        let stream = compressed(content, coding)
        stream.start(consumer)
        var buffer: [UInt8] = []
        #expect(isFinished(stream.read(into: &buffer, limit: 1000)))
        #expect(try ContentDecoder.decode(buffer, coding) == Array("all of it".utf8))
    }

    @Test func `an end after flushed content ends the coding`() throws {
        let content = HTTPTestStream("first")
        let stream = compressed(content)
        stream.start(consumer)
        var buffer: [UInt8] = []
        #expect(isWaiting(stream.read(into: &buffer, limit: 1000)))
        content.finish()
        #expect(isFinished(stream.read(into: &buffer, limit: 1000)))
        #expect(try ContentDecoder.decode(buffer, .gzip) == Array("first".utf8))
    }

    @Test func `stopping the stream stops its content`() {
        let content = HTTPTestStream("more")
        let stream = compressed(content)
        stream.start(consumer)
        stream.stop()
        #expect(content.isStopped)
    }

    @Test func `streams that share a buffer do not mix their contents`() throws {
        let contents = [HTTPTestStream(), HTTPTestStream()]
        let streams = contents.map { compressed($0) }
        let decoders = [ContentDecoder(.gzip), ContentDecoder(.gzip)]
        for stream in streams { stream.start(consumer) }
        for number in 0..<10 {
            for (index, content) in contents.enumerated() {
                content.append("data: \(index) \(number)\n\n")
                var buffer: [UInt8] = []
                _ = streams[index].read(into: &buffer, limit: 1000)
                var decoded: [UInt8] = []
                try decoders[index].decode(buffer, into: &decoded)
                #expect(String(decoding: decoded, as: UTF8.self) == "data: \(index) \(number)\n\n")
            }
        }
    }
}
