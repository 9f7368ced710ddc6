import Combine
import Dispatch
import Foundation
import FoundationNetworking
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking
import Testing

@Suite struct DataTaskPublisherTests {
    private let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        // A request must not time out before a test that waits for a busy machine ends it.
        configuration.timeoutIntervalForRequest = 3600
        return URLSession(configuration: configuration)
    }()
    private let targets = Lock<[String]>([])

    private func server(
        _ respond: @escaping @Sendable (HTTPRequest) -> HTTPResponse = { request in
            HTTPResponse(
                status: request.target == "/missing" ? .notFound : .ok,
                body: .bytes(Array("\(request.method.rawValue) \(request.target)".utf8)))
        }
    ) throws -> HTTPTestServer {
        try HTTPTestServer { [targets] request, _ in
            targets.withLock { $0.append(request.target) }
            return .response(respond(request))
        }
    }

    private func url(_ server: HTTPTestServer, _ target: String) throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(server.port)\(target)"))
    }

    /// Subscribes with unlimited demand and waits for the completion.
    private func outcome<P: Publisher>(of publisher: P) -> (values: [P.Output], failure: P.Failure?) {
        var values: [P.Output] = []
        var failure: P.Failure?
        let done = DispatchSemaphore(value: 0)
        let token = publisher.sink(
            receiveCompletion: { completion in
                if case .failure(let error) = completion { failure = error }
                done.signal()
            },
            receiveValue: { values.append($0) })
        done.wait()
        token.cancel()
        return (values, failure)
    }

    @Test func `a response is delivered as a value, followed by a finish`() throws {
        let server = try server()
        let (values, failure) = outcome(of: session.dataTaskPublisher(for: try url(server, "/found")))
        #expect(failure == nil)
        #expect(values.map { String(decoding: $0.data, as: UTF8.self) } == ["GET /found"])
        #expect((values.first?.response as? HTTPURLResponse)?.statusCode == 200)
    }

    @Test func `a response is delivered as a value regardless of its status`() throws {
        let server = try server()
        let (values, failure) = outcome(of: session.dataTaskPublisher(for: try url(server, "/missing")))
        #expect(failure == nil)
        #expect((values.first?.response as? HTTPURLResponse)?.statusCode == 404)
        #expect(values.map { String(decoding: $0.data, as: UTF8.self) } == ["GET /missing"])
    }

    @Test func `a request is sent unchanged`() throws {
        let server = try server()
        var request = URLRequest(url: try url(server, "/posted"))
        request.httpMethod = "POST"
        request.httpBody = Data("content".utf8)
        let publisher = session.dataTaskPublisher(for: request)
        #expect(publisher.request == request)
        #expect(publisher.session === session)
        let (values, _) = outcome(of: publisher.map(\.data))
        #expect(values == [Data("POST /posted".utf8)])
    }

    @Test func `a connection error is delivered as a failure`() throws {
        let server = try server()
        let fallbackURL = try url(server, "/fallback")
        let port = try HTTPTestHeldPort()
        let unreachable = try #require(URL(string: "http://127.0.0.1:\(port.number)/"))
        let (values, failure) = outcome(of: session.dataTaskPublisher(for: unreachable))
        #expect(values.isEmpty)
        #expect(failure?.code == .cannotConnectToHost)
        let (fallback, _) = outcome(
            of: session.dataTaskPublisher(for: unreachable).map(\.data).catch { _ in
                session.dataTaskPublisher(for: fallbackURL).map(\.data)
            })
        #expect(fallback == [Data("GET /fallback".utf8)])
        withExtendedLifetime(port) {}
    }

    @Test func `each subscriber sends its own request, and only once it has demand`() throws {
        let server = try server()
        let publisher = session.dataTaskPublisher(for: try url(server, "/each"))
        let patient = AnySubscriber<URLSession.DataTaskPublisher.Output, URLError>(receiveSubscription: { _ in })
        publisher.subscribe(patient)
        #expect(outcome(of: publisher).values.count == 1)
        #expect(outcome(of: publisher).values.count == 1)
        #expect(targets.withLock { $0 } == ["/each", "/each"])
    }

    @Test func `further demand does not send another request`() throws {
        let server = try server()
        let done = DispatchSemaphore(value: 0)
        let count = Lock(0)
        session.dataTaskPublisher(for: try url(server, "/once")).subscribe(
            AnySubscriber(
                receiveSubscription: { subscription in
                    subscription.request(.max(1))
                    subscription.request(.max(1))
                    subscription.request(.unlimited)
                },
                receiveValue: { _ in
                    count.withLock { $0 += 1 }
                    return .unlimited
                },
                receiveCompletion: { _ in done.signal() }))
        done.wait()
        #expect(count.withLock { $0 } == 1)
        #expect(targets.withLock { $0 } == ["/once"])
    }

    @Test func `cancelling ends the request, and nothing is delivered afterwards`() async throws {
        let stream = HTTPTestStream("beginning")
        let server = try HTTPTestServer(configure: { $0.loopCount = 1 }) { _, _ in
            .response(HTTPResponse(status: .ok, body: .stream(stream)))
        }
        let isSilent = Lock(true)
        let token = session.dataTaskPublisher(for: try url(server, "/endless")).sink(
            receiveCompletion: { _ in isSilent.withLock { $0 = false } },
            receiveValue: { _ in isSilent.withLock { $0 = false } })
        #expect(await eventually { await server.onLoop { _ in stream.hasStarted } })
        token.cancel()
        #expect(await eventually { await server.onLoop { _ in stream.isStopped } })
        #expect(isSilent.withLock { $0 })
    }

    @Test func `cancelling during the delivery suppresses the completion`() throws {
        let server = try server()
        let delivered = DispatchSemaphore(value: 0)
        let events = Lock<[String]>([])
        let subscription = Lock<(any Subscription)?>(nil)
        session.dataTaskPublisher(for: try url(server, "/cut")).subscribe(
            AnySubscriber(
                receiveSubscription: { given in
                    subscription.withLock { $0 = given }
                    given.request(.max(1))
                },
                receiveValue: { _ in
                    events.withLock { $0.append("value") }
                    subscription.withLock { $0 }?.cancel()
                    delivered.signal()
                    return .none
                },
                receiveCompletion: { _ in events.withLock { $0.append("completion") } }))
        delivered.wait()
        // The session calls back on one queue, so a completion of the first request would arrive before this response.
        _ = outcome(of: session.dataTaskPublisher(for: try url(server, "/later")))
        #expect(events.withLock { $0 } == ["value"])
    }
}
