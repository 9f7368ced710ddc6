import CLinux
import Glibc
import HTTP1
import HTTP2
import HTTPModel
import Testing

@testable import HTTPServer

/// The reader over one side of a socket pair, without a loop.
@Suite struct RequestReaderTests {
    /// A reader, its socket and the loop's buffer, and the client's socket.
    private final class Pair {
        var reader: RequestReader
        var transport: SocketTransport
        let client: Int32
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 16)

        init(servesHTTP2: Bool = true) throws {
            var configuration = HTTPServerConfiguration(port: 0)
            configuration.servesHTTP2 = servesHTTP2
            reader = RequestReader(peer: .unknown, configuration)
            var sockets: [Int32] = [-1, -1]
            try #require(
                socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &sockets) == 0)
            transport = SocketTransport(descriptor: sockets[0], secure: nil)
            client = sockets[1]
        }

        deinit {
            transport.close(abruptly: false)
            close(client)
            buffer.deallocate()
        }

        func send(_ text: String) {
            var text = text
            let count = text.withUTF8 { write(client, $0.baseAddress, $0.count) }
            #expect(count == text.utf8.count)
        }

        func next(isFirst: Bool = true) -> RequestReader.Outcome {
            reader.next(in: buffer, isFirst: isFirst, over: transport.secure)
        }

        func read() -> RequestReader.Arrival { reader.read(into: buffer, from: &transport) }

        func endStep() {
            reader.stepEnded(buffer)
            buffer.initializeMemory(as: UInt8.self, repeating: 0)
        }
    }

    private struct Unexpected: Error {}

    private static let get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test func `a request that arrives in two steps is complete in the second`() throws {
        let pair = try Pair()
        pair.send(String(RequestReaderTests.get.prefix(20)))
        guard case .starved(expectsContinue: false) = pair.next() else { throw Unexpected() }
        #expect(pair.read() == .allBytes)
        guard case .starved(expectsContinue: false) = pair.next() else { throw Unexpected() }
        #expect(pair.read() == .nothing)
        pair.endStep()
        #expect(pair.reader.hasInput && !pair.reader.isIdle)
        pair.send(String(RequestReaderTests.get.dropFirst(20)))
        guard case .starved = pair.next() else { throw Unexpected() }
        #expect(pair.read() == .allBytes)
        guard case .message(let message) = pair.next() else { throw Unexpected() }
        #expect(message.request.target == "/a" && message.request.scheme == "http")
        pair.endStep()
        #expect(pair.reader.isIdle)
    }

    @Test func `requests that arrive together are returned one after the other`() throws {
        let pair = try Pair()
        pair.send(RequestReaderTests.get + RequestReaderTests.get)
        _ = pair.next()
        #expect(pair.read() == .allBytes)
        guard case .message = pair.next() else { throw Unexpected() }
        pair.endStep()
        #expect(pair.reader.hasInput)
        guard case .message = pair.next(isFirst: false) else { throw Unexpected() }
        guard case .starved = pair.next(isFirst: false) else { throw Unexpected() }
    }

    @Test func `a read that fills the buffer shows that there may be more`() throws {
        let pair = try Pair()
        pair.send(String(repeating: "a", count: 1500))
        _ = pair.next()
        #expect(pair.read() == .bytes)
    }

    @Test func `a client that waits for 100 Continue is reported once`() throws {
        let pair = try Pair()
        pair.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
        _ = pair.next()
        #expect(pair.read() == .allBytes)
        guard case .starved(expectsContinue: true) = pair.next() else { throw Unexpected() }
        guard case .starved(expectsContinue: false) = pair.next() else { throw Unexpected() }
        pair.send("ab")
        #expect(pair.read() == .allBytes)
        guard case .starved = pair.next() else { throw Unexpected() }
        #expect(pair.reader.bodyCount == 2)
    }

    @Test func `bytes that are no request are refused`() throws {
        let pair = try Pair()
        pair.send("GET /\r\n\r\n")
        _ = pair.next()
        _ = pair.read()
        guard case .refused(.requestLine) = pair.next() else { throw Unexpected() }
    }

    @Test func `the preface of HTTP2 is awaited, and returned with what follows it`() throws {
        let pair = try Pair()
        pair.send("PRI * HT")
        _ = pair.next()
        #expect(pair.read() == .allBytes)
        guard case .starved = pair.next() else { throw Unexpected() }
        pair.send("TP/2.0\r\n\r\nSM\r\n\r\nmore")
        #expect(pair.read() == .allBytes)
        guard case .http2(let bytes) = pair.next() else { throw Unexpected() }
        #expect(bytes == HTTP2Preface.bytes + Array("more".utf8))
        pair.endStep()
        #expect(pair.reader.isIdle)
    }

    @Test(arguments: [(true, false), (false, true)])
    func `the preface of HTTP2 is a bad request later, and where HTTP2 is not served`(
        _ servesHTTP2: Bool, _ isFirst: Bool
    ) throws {
        let pair = try Pair(servesHTTP2: servesHTTP2)
        pair.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        _ = pair.next(isFirst: isFirst)
        _ = pair.read()
        guard case .refused = pair.next(isFirst: isFirst) else { throw Unexpected() }
    }

    @Test(arguments: [("", true), ("GET", false), ("GET / HTTP/1.1\r\n", false)])
    func `an end is reported with its place`(_ text: String, _ isBetweenRequests: Bool) throws {
        let pair = try Pair()
        pair.send(text)
        shutdown(pair.client, Int32(SHUT_WR))
        _ = pair.next()
        if !text.isEmpty {
            #expect(pair.read() == .allBytes)
            _ = pair.next()
        }
        #expect(pair.read() == .end(isBetweenRequests: isBetweenRequests))
    }

    @Test func `discarded bytes are not parsed`() throws {
        let pair = try Pair()
        pair.send("GET")
        _ = pair.next()
        _ = pair.read()
        pair.reader.discard()
        pair.endStep()
        #expect(!pair.reader.hasInput)
    }
}
