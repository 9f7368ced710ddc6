import Access
import Foundation
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Testing

@testable import Granary

/// Keys that are fetched from a URL.
@Suite struct KeySetFetcherTests {
    /// A service that publishes keys.
    private final class Publisher: Sendable {
        let content: Lock<HTTPResponse>
        let count = Lock(0)
        let server: HTTPTestServer

        init(_ body: String, status: HTTPStatus = .ok, fields: HTTPFields = HTTPFields()) throws {
            let content = Lock(HTTPResponse(status: status, fields: fields, body: .bytes(Array(body.utf8))))
            self.content = content
            server = try HTTPTestServer(configure: { $0.loopCount = 1 }) { [count] request, _ in
                count.withLock { $0 += 1 }
                // Another path than the one that redirects.
                guard request.target == "/jwks" else {
                    return .response(HTTPResponse(status: .ok, body: .bytes(Array(KeyFolder.publicKey.utf8))))
                }
                return .response(content.withLock { $0 })
            }
        }

        func url() throws -> URL { try #require(URL(string: "http://127.0.0.1:\(server.port)/jwks")) }
    }

    private typealias Outcome = Result<KeySet, OperatorError>

    /// The time for a document, so that no test ends with a timeout on a busy machine.
    private static let timeout = Duration.seconds(600)

    private func fetcher(
        _ publisher: Publisher, time: Lock<UInt64> = Lock(1_000_000_000)
    ) throws -> (KeySetFetcher, AsyncStream<Outcome>.Iterator) {
        let (stream, continuation) = AsyncStream.makeStream(of: Outcome.self)
        let fetcher = KeySetFetcher(
            issuer: "a", url: try publisher.url(), interval: .seconds(600), timeout: Self.timeout,
            clock: { time.withLock { MonotonicTime(nanoseconds: $0) } }
        ) { continuation.yield($0) }
        return (fetcher, stream.makeAsyncIterator())
    }

    private func reason(_ outcome: Outcome?) -> String {
        if case .failure(let error)? = outcome { error.description } else { "no failure" }
    }

    @Test func `keys are fetched at the start, and again when a token names an unknown key`() async throws {
        let publisher = try Publisher("{\"keys\":[\(KeyFolder.publicKey)]}")
        let time = Lock<UInt64>(1_000_000_000)
        var (fetcher, outcomes) = try fetcher(publisher, time: time)
        fetcher.unknownKeySeen()
        fetcher.begin()
        #expect(try await outcomes.next()?.get().keys.map(\.id) == ["a"])
        // Too early: a flood of tokens with unknown keys must not become one of requests.
        for _ in 0..<100 { fetcher.unknownKeySeen() }
        publisher.content.withLock {
            $0.body = .bytes(Array(KeyFolder.publicKey.replacing("\"kid\":\"a\"", with: "\"kid\":\"b\"").utf8))
        }
        time.withLock { $0 += 11_000_000_000 }
        fetcher.unknownKeySeen()
        #expect(try await outcomes.next()?.get().keys.map(\.id) == ["b"])
        #expect(publisher.count.withLock { $0 } == 2)
        fetcher.end()
        await publisher.server.shutdown()
    }

    @Test func `a secret, a status, a large document and an invalid one are failures`() async throws {
        let large = String(repeating: " ", count: (256 << 10) + 1)
        let cases: [(String, HTTPStatus, String)] = [
            (KeyFolder.secretKey, .ok, "Expected"), ("", .notFound, "got: status 404"),
            ("", .unauthorized, "got: status 401"),
            (large, .ok, "got: more than 262144 bytes"), ("{", .ok, "Expected a JWK set"),
        ]
        for (body, status, message) in cases {
            let publisher = try Publisher(body, status: status)
            var (fetcher, outcomes) = try fetcher(publisher)
            fetcher.begin()
            let reason = reason(await outcomes.next())
            #expect(reason.contains(message), "\(reason)")
            fetcher.end()
            await publisher.server.shutdown()
        }
    }

    @Test func `a redirect is followed on this machine only`() async throws {
        let publisher = try Publisher("", status: .found, fields: [.location: "/elsewhere"])
        var (fetcher, outcomes) = try fetcher(publisher)
        fetcher.begin()
        #expect(try await outcomes.next()?.get().keys.count == 1)
        fetcher.end()
        await publisher.server.shutdown()
        let hostile = try Publisher("", status: .found, fields: [.location: "http://192.0.2.1/jwks"])
        var (other, failures) = try self.fetcher(hostile)
        other.begin()
        #expect(reason(await failures.next()).contains("status 302"))
        other.end()
        await hostile.server.shutdown()
    }

    @Test func `a service that cannot be reached is a failure`() async throws {
        let port = try HTTPTestHeldPort()
        let url = try #require(URL(string: "http://127.0.0.1:\(port.number)/jwks"))
        let (stream, continuation) = AsyncStream.makeStream(of: Outcome.self)
        let fetcher = KeySetFetcher(issuer: "a", url: url, interval: .seconds(600), timeout: Self.timeout) {
            continuation.yield($0)
        }
        fetcher.begin()
        var outcomes = stream.makeAsyncIterator()
        #expect(reason(await outcomes.next()).contains("expected a JWK set from http://127.0.0.1"))
        fetcher.end()
        withExtendedLifetime(port) {}
    }
}
