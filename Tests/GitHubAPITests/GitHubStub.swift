import CombineCore
import Dispatch
import Foundation
import GitHubAPI
import HTTPModel
import HTTPServer
import HTTPServerTesting
import Locking

/// A scripted substitute for GitHub that runs this package's server on a local port.
final class GitHubStub: Sendable {
    /// Returns the response to a request, given the number of earlier requests.
    typealias Script = @Sendable (HTTPRequest, Int) -> HTTPAnswer

    let server: HTTPTestServer
    private let seen: Lock<[HTTPRequest]>

    init(_ script: @escaping Script) throws {
        let seen = Lock<[HTTPRequest]>([])
        self.seen = seen
        server = try HTTPTestServer(configure: {
            $0.loopCount = 1
            $0.drainTimeout = .milliseconds(20)
        }) { request, _ in
            let number = seen.withLock { seen in
                seen.append(request)
                return seen.count - 1
            }
            return script(request, number)
        }
    }

    /// The received requests, in order.
    var requests: [HTTPRequest] { seen.withLock { $0 } }

    var address: String { "http://127.0.0.1:\(server.port)" }

    /// Returns a client of the stub. Its timeouts exceed those of the tests, so that no test passes by timing out.
    func client(
        token: String? = nil, path: String = "", idleTimeout: Duration = .seconds(600),
        totalTimeout: Duration = .seconds(600), bodyLimit: Int = 1 << 20, cacheEntries: Int = 10,
        cacheBytes: Int = 1 << 20,
        now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 1_700_000_000) }
    ) throws -> GitHubClient {
        let configuration = try GitHubConfiguration(
            baseAddress: address + path, token: token, userAgent: "granary-tests", idleTimeout: idleTimeout,
            totalTimeout: totalTimeout, bodyLimit: bodyLimit, cacheEntries: cacheEntries, cacheBytes: cacheBytes)
        return GitHubClient(configuration: configuration, now: now)
    }

    /// Runs a test against a stub, and shuts the stub down afterwards.
    static func run(_ script: @escaping Script, test: (GitHubStub) async throws -> Void) async throws {
        let stub = try GitHubStub(script)
        do {
            try await test(stub)
        } catch {
            await stub.server.shutdown()
            throw error
        }
        await stub.server.shutdown()
    }
}

extension HTTPAnswer {
    /// Returns a response whose content type is JSON unless the fields contain another.
    static func json(_ status: UInt16, _ body: String = "{}", _ fields: HTTPFields = [:]) -> HTTPAnswer {
        var fields = fields
        if !fields.contains(.contentType) { fields.append(.contentType, "application/json; charset=utf-8") }
        return .response(HTTPResponse(status: HTTPStatus(status), fields: fields, body: .bytes(Array(body.utf8))))
    }

    static func stream(_ stream: HTTPTestStream) -> HTTPAnswer {
        .response(
            HTTPResponse(status: .ok, fields: [.contentType: "application/json"], body: .stream(stream)))
    }

    /// A response that is never sent.
    static var silence: HTTPAnswer { .deferred(DeferredResponse()) }
}

extension GitHubClient {
    /// Returns the result of one search.
    func outcome(_ query: RepositoryQuery) async -> Result<RepositoryPage, GitHubError> {
        let subscription = Lock<AnyCancellable?>(nil)
        let outcome = await withCheckedContinuation { continuation in
            let sink = searchRepositories(query).sink(
                receiveCompletion: { completion in
                    if case .failure(let error) = completion { continuation.resume(returning: Outcome.failure(error)) }
                },
                receiveValue: { continuation.resume(returning: .success($0)) })
            subscription.withLock { $0 = sink }
        }
        subscription.withLock { $0 = nil }
        return outcome
    }

    /// Returns the page of one search.
    func page(_ query: RepositoryQuery) async throws -> RepositoryPage {
        try await outcome(query).get()
    }

    /// Returns the error of one search, or `nil` if it succeeds.
    func failure(_ query: RepositoryQuery) async -> GitHubError? {
        if case .failure(let error) = await outcome(query) { return error }
        return nil
    }
}

private typealias Outcome = Result<RepositoryPage, GitHubError>
