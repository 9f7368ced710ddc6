import HTTP2
import HTTPModel
import HTTPServerTesting
import Testing

extension LimitSample {
    private static let instant = Duration.milliseconds(1)

    /// Expects the connection to continue until just before a deadline, and to end at the deadline.
    private static func expectEnding(_ ending: HTTP2Ending, of client: RawClient, after duration: Duration) {
        client.pass(duration - instant)
        #expect(client.connection.ending == nil)
        client.pass(instant)
        #expect(client.connection.ending == ending)
    }

    private static func goAwayCount(_ client: RawClient) -> Int { client.frames(Frame.Kind.goAway).count }

    static let times: [LimitSample] = [
        LimitSample("handshakeTimeout", { $0.handshakeTimeout = .seconds(3) }) { client in
            let silent = RawClient(client.connection.limits, greets: false)
            expectEnding(.handshakeTimeout, of: silent, after: .seconds(3))
        },
        LimitSample("headTimeout", { $0.headTimeout = .seconds(3) }) { client in
            client.send(.headers(1, RawClient.get, endsHeaders: false))
            expectEnding(.headTimeout, of: client, after: .seconds(3))
        },
        LimitSample("bodyTimeout", { $0.bodyTimeout = .seconds(3) }) { client in
            client.send(.headers(1, RawClient.post, endsStream: false))
            client.pass(.milliseconds(2999))
            #expect(client.refusals.isEmpty)
            client.pass(.seconds(5))
            #expect(client.refusals == [.bodyTimeout])
        },
        LimitSample("bodyRate", { ($0.bodyTimeout, $0.bodyRate) = (.seconds(1), 10) }) { client in
            client.send(.headers(1, RawClient.post, endsStream: false))
            client.send(.data(1, Array(repeating: 0, count: 1000), endsStream: false))
            client.pass(.seconds(100))
            #expect(client.refusals.isEmpty)
            client.pass(.seconds(6))
            #expect(client.refusals == [.bodyTimeout])
        },
        LimitSample("stallTimeout", { $0.stallTimeout = .seconds(20) }) { client in
            client.send(.settings([(4, 0)]))
            client.answer = { _ in HTTPResponse(status: .ok, body: .bytes([1])) }
            client.send(.headers(1, RawClient.get))
            client.pass(.seconds(20))
            #expect(client.resets.isEmpty)
            client.pass(.seconds(10))
            #expect(client.resets == [1])
        },
        LimitSample("idleTimeout", { $0.idleTimeout = .seconds(3) }) { client in
            client.pass(.milliseconds(2999))
            #expect(goAwayCount(client) == 0)
            client.pass(instant)
            #expect(goAwayCount(client) == 1)
        },
        LimitSample("maximumAge", { $0.maximumAge = .seconds(30) }) { client in
            client.answer = { _ in nil }
            client.send(.headers(1, RawClient.get))
            client.pass(.milliseconds(29_999))
            #expect(goAwayCount(client) == 0)
            client.pass(instant)
            #expect(goAwayCount(client) == 1)
        },
        LimitSample("drainGrace", { $0.drainGrace = .seconds(3) }) { client in
            client.connection.drain(now: client.now)
            client.pass(.milliseconds(2999))
            #expect(goAwayCount(client) == 1)
            client.pass(instant)
            #expect(goAwayCount(client) == 2)
        },
    ]
}
