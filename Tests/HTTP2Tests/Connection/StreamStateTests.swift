import HTTP2
import HTTPModel
import HTTPServerTesting
import Testing

/// Frames on closed streams (RFC 9113 §5.1), and other violations that the library does not detect.
@Suite struct StreamStateTests {
    private let client = RawClient()

    private var lastGoAwayCode: UInt32? { client.frames(Frame.Kind.goAway).last?.code }

    @Test func `a client that continues a stream that it has ended loses the connection`() {
        for frame in [Frame.data(1, [1]), .headers(1, RawClient.get)] {
            let client = RawClient()
            client.send(.headers(1, RawClient.get))
            #expect(client.connection.streamCount == 0)
            client.send(frame)
            #expect(client.connection.ending == .protocolViolation(.streamClosed))
            #expect(client.frames(Frame.Kind.goAway).last?.code == 5)
        }
    }

    @Test func `a client that continues a stream that it has reset loses the connection`() {
        for frame in [Frame.data(1, [1]), .headers(1, RawClient.get)] {
            let client = RawClient()
            // In one piece, so that only the order of the frames decides.
            client.send(.headers(1, RawClient.post, endsStream: false), .reset(1), frame)
            #expect(client.connection.ending == .protocolViolation(.streamClosed))
        }
    }

    @Test func `frames in flight to a stream that the server has ended are not an error`() {
        client.send(.headers(1, RawClient.post + [("Upper", "case")], endsStream: false))
        #expect(client.frames(Frame.Kind.reset).map(\.stream) == [1])
        client.send(.data(1, [1], endsStream: false), .data(1, [2]), .headers(1, [("x", "y")]))
        #expect(client.connection.ending == nil)
        client.send(.headers(3, RawClient.get))
        #expect(client.requests.count == 1)
    }

    @Test func `the rest of a body is not an error after an early response`() {
        var limits = HTTP2Limits()
        limits.bodyBytes = 2
        let client = RawClient(limits)
        client.send(
            .headers(1, RawClient.post, endsStream: false), .data(1, [1, 2, 3], endsStream: false))
        client.send(.data(1, [4], endsStream: false), .data(1, [5]))
        #expect(client.connection.ending == nil)
    }

    @Test func `frames on refused streams are not an error`() {
        var limits = HTTP2Limits()
        limits.concurrentStreams = 1
        // Without acknowledged settings, a stream over the limit is refused and the connection continues.
        let client = RawClient(limits, greets: false)
        client.answer = { _ in nil }
        client.send(HTTP2Preface.bytes + Frame.settings().bytes)
        client.send(
            .headers(1, RawClient.post, endsStream: false), .headers(3, RawClient.post, endsStream: false),
            .data(3, [1]), .data(3, [2]))
        client.send(.data(3, [3]), .data(1, [1]))
        #expect(client.connection.ending == nil)
        #expect(client.requests.map(\.body) == [[1]])
    }

    @Test func `requests that cross a GOAWAY are ignored`() {
        client.answer = { _ in nil }
        client.send(.headers(1, RawClient.get))
        client.connection.drain(now: client.now)
        client.step()
        client.pass(.seconds(2))
        client.send(.headers(3, RawClient.post, endsStream: false), .data(3, [1]), .data(3, [2]))
        #expect(client.connection.ending == nil)
    }

    @Test func `skipped stream identifiers cannot be used later`() {
        for (frame, code) in [(Frame.headers(3, RawClient.get), 1 as UInt32), (.data(3, [1]), 5)] {
            let client = RawClient()
            client.send(.headers(5, RawClient.get))
            #expect(client.requests.count == 1)
            client.send(frame)
            #expect(client.frames(Frame.Kind.goAway).last?.code == code)
            #expect(client.requests.count == 1)
        }
    }

    @Test func `stream identifiers may be skipped`() {
        for id: Int32 in [101, 103, 1001, 0x7FFF_FFFF] { client.send(.headers(id, RawClient.get)) }
        #expect(client.requests.count == 4)
        #expect(client.connection.ending == nil)
    }

    @Test func `an invalid priority ends the connection, however its bytes are split`() {
        let wrong = [
            Frame.priority(1, on: 1), .priority(0, on: 3), .priority(7, on: Int32(bitPattern: 0x8000_0007)),
            .priority(Int32(bitPattern: 0x8000_0009), on: 9),
        ]
        for frame in wrong {
            for size in [1, 3, 9, 10, 12, 14] {
                let client = RawClient()
                var rest = frame.bytes[...]
                while !rest.isEmpty {
                    client.send(Array(rest.prefix(size)))
                    rest = rest.dropFirst(size)
                }
                #expect(client.frames(Frame.Kind.goAway).last?.code == 1, "\(frame) in pieces of \(size)")
            }
        }
    }

    @Test func `valid priorities are ignored`() {
        client.send(.priority(1, on: 0), .priority(3, on: 1), .priority(1, on: Int32(bitPattern: 0x8000_0003)))
        client.send(.headers(1, RawClient.get))
        #expect(client.connection.ending == nil)
        #expect(client.requests.count == 1)
    }

    @Test func `settings that make a window exceed its maximum end the connection`() {
        client.answer = { _ in nil }
        client.send(.headers(1, RawClient.get), .headers(3, RawClient.get))
        client.send(.settings([(4, 1000)]))
        client.send(.windowUpdate(1, by: 0x7FFF_FFFF - 1000))
        #expect(client.connection.ending == nil)
        client.send(.settings([(4, 1000)]), .settings([(4, 1)]), .settings([(4, 1000)]))
        #expect(client.connection.ending == nil)
        client.send(.settings([(4, 1001)]))
        #expect(client.connection.ending == .protocolViolation(.flowControlError))
        #expect(lastGoAwayCode == 3)
    }

    @Test func `settings while resets wait to be sent are not a violation`() {
        client.reads = false
        client.send(
            .headers(1, RawClient.get + [("Upper", "case")]), .headers(3, RawClient.get + [("Upper", "case")]),
            .settings([(4, 100)]), .ping(), .ping(), .settings([(4, 0x7FFF_FFFF)]))
        #expect(client.connection.ending == nil)
    }
}
