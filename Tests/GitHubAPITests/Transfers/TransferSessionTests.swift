import CombineCore
import Foundation
import GitHubAPI
import HTTPModel
import HTTPServerTesting
import Locking
import Testing

/// What URLSession does on a real socket: ends, limits, redirects and cancellation.
@Suite(.timeLimit(.minutes(10)))
struct TransferSessionTests {
    private let query: RepositoryQuery
    private let page = GitHubText.page([GitHubText.item()], total: 99)

    init() throws {
        query = try RepositoryQuery(text: "swift")
    }

    @Test func `a body that the connection does not bring to its end is truncated`() async throws {
        let stream = HTTPTestStream(String(page.dropLast(40)))
        try await GitHubStub.run { _, _ in
            .stream(stream)
        } test: { stub in
            let client = try stub.client()
            async let failure = client.failure(query)
            #expect(await eventually { await stub.server.onLoop { _ in stream.bytesRead > 0 } })
            stub.server.beginShutdown()
            let error = await failure
            #expect(error?.code == .truncated)
            #expect(error?.message == "The connection closed before GitHub's response was complete.")
        }
    }

    @Test func `a connection that ends before any answer says so`() async throws {
        try await GitHubStub.run { _, _ in
            .silence
        } test: { stub in
            let client = try stub.client()
            async let failure = client.failure(query)
            #expect(await eventually { stub.requests.count == 1 })
            stub.server.beginShutdown()
            #expect(await failure?.code == .truncated)
        }
    }

    @Test func `a body in small parts is put together`() async throws {
        let stream = HTTPTestStream()
        let page = page
        try await GitHubStub.run { _, _ in
            .stream(stream)
        } test: { stub in
            let client = try stub.client()
            async let result = client.page(query)
            #expect(await eventually { await stub.server.onLoop { _ in stream.hasStarted } })
            for character in page { await stub.server.onLoop { _ in stream.append(String(character)) } }
            await stub.server.onLoop { _ in stream.finish() }
            let found = try await result.totalCount
            #expect(found == 99)
        }
    }

    @Test func `a body over the limit is refused, announced or not, and its connection ends`() async throws {
        let large = GitHubText.page([GitHubText.item(description: "\"\(String(repeating: "x", count: 5_000))\"")])
        try await GitHubStub.run { _, _ in
            .json(200, large)
        } test: { stub in
            let error = try await stub.client(bodyLimit: 5_000).failure(query)
            #expect(error?.code == .tooLarge)
            #expect(error?.message == "GitHub's response exceeds the limit of 5000 bytes.")
        }
        let endless = HTTPTestStream(endless: UInt8(ascii: " "))
        try await GitHubStub.run { _, _ in
            .stream(endless)
        } test: { stub in
            let client = try stub.client(bodyLimit: 100_000)
            #expect(await client.failure(query)?.code == .tooLarge)
            #expect(await eventually { await stub.server.onLoop { _ in endless.isStopped } })
        }
    }

    @Test func `an address where nobody listens is offline, and the client goes on`() async throws {
        let port = try HTTPTestHeldPort()
        let client = GitHubClient(
            configuration: try GitHubConfiguration(baseAddress: "http://127.0.0.1:\(port.number)"))
        for _ in 0..<2 {
            let error = await client.failure(query)
            #expect(error?.code == .offline)
            #expect(error?.message.hasPrefix("GitHub (127.0.0.1) cannot be reached: ") == true)
        }
        withExtendedLifetime(port) {}
    }

    @Test func `a name that nobody has is offline`() async throws {
        let configuration = try GitHubConfiguration(baseAddress: "http://github.invalid")
        #expect(await GitHubClient(configuration: configuration).failure(query)?.code == .offline)
    }

    @Test func `an answer that does not begin in time has timed out`() async throws {
        try await GitHubStub.run { _, _ in
            .silence
        } test: { stub in
            let error = try await stub.client(idleTimeout: .milliseconds(100)).failure(query)
            #expect(error?.code == .timedOut)
            #expect(error?.message == "GitHub (127.0.0.1) did not respond in time.")
        }
    }

    @Test func `an answer that never ends has timed out, though it is never silent for long`() async throws {
        let stream = HTTPTestStream("{")
        try await GitHubStub.run { _, _ in
            .stream(stream)
        } test: { stub in
            let client = try stub.client(idleTimeout: .seconds(20), totalTimeout: .milliseconds(200))
            let failure = Lock<GitHubError?>(nil)
            let subscription = client.searchRepositories(query).sink(
                receiveCompletion: { if case .failure(let error) = $0 { failure.withLock { $0 = error } } },
                receiveValue: { _ in })
            #expect(
                await eventually {
                    await stub.server.onLoop { _ in stream.append(" ") }
                    return failure.withLock { $0 != nil }
                })
            #expect(failure.withLock { $0?.code } == .timedOut)
            #expect(failure.withLock { $0?.message } == "GitHub (127.0.0.1) did not respond in time.")
            #expect(await eventually { await stub.server.onLoop { _ in stream.isStopped } })
            subscription.cancel()
        }
    }

    @Test func `a redirect on the same host is followed with the token`() async throws {
        let page = page
        try await GitHubStub.run { request, _ in
            request.path == "/moved"
                ? .json(200, page) : .json(301, #"{"message": "Moved Permanently"}"#, [.location: "/moved?q=swift"])
        } test: { stub in
            let found = try await stub.client(token: "ghp_secret").page(query).totalCount
            #expect(found == 99)
            #expect(
                stub.requests.map { $0.fields.value(.authorization) } == ["Bearer ghp_secret", "Bearer ghp_secret"])
            #expect(stub.requests.last?.target == "/moved?q=swift")
        }
    }

    @Test func `a redirect to another host or port is not followed, so nothing of the request gets there`()
        async throws
    {
        let page = page
        try await GitHubStub.run { _, _ in
            .json(200, page)
        } test: { other in
            for host in ["127.0.0.1", "localhost"] {
                let target = HTTPFieldValue("http://\(host):\(other.server.port)/search") ?? "/"
                try await GitHubStub.run { _, _ in
                    .json(302, "", [.location: target])
                } test: { stub in
                    let error = try await stub.client(token: "ghp_secret").failure(query)
                    #expect(error?.code == .redirected)
                    #expect(error?.status == 302)
                    #expect(stub.requests.count == 1)
                }
            }
            #expect(other.requests.isEmpty)
        }
    }

    @Test func `redirects in a circle end`() async throws {
        try await GitHubStub.run { _, _ in
            .json(307, "", [.location: "/again"])
        } test: { stub in
            let found = try await stub.client().failure(query)?.code
            #expect(found == .redirected)
            #expect(stub.requests.count == Transfer.redirectLimit + 1)
        }
    }

    @Test func `cancelling the subscription ends the request at the server`() async throws {
        let stream = HTTPTestStream("{")
        try await GitHubStub.run { _, _ in
            .stream(stream)
        } test: { stub in
            let client = try stub.client()
            let events = Lock(0)
            let subscription = client.searchRepositories(query).sink(
                receiveCompletion: { _ in events.withLock { $0 += 1 } },
                receiveValue: { _ in events.withLock { $0 += 1 } })
            #expect(await eventually { await stub.server.onLoop { _ in stream.hasStarted } })
            subscription.cancel()
            #expect(await eventually { await stub.server.onLoop { _ in stream.isStopped } })
            #expect(events.withLock { $0 } == 0)
        }
    }

    @Test func `a cancelled search leaves the client able to search`() async throws {
        let page = page
        try await GitHubStub.run { _, number in
            number == 0 ? .silence : .json(200, page)
        } test: { stub in
            let client = try stub.client()
            let subscription = client.searchRepositories(query).sink(
                receiveCompletion: { _ in }, receiveValue: { _ in })
            #expect(await eventually { stub.requests.count == 1 })
            subscription.cancel()
            let found = try await client.page(query).totalCount
            #expect(found == 99)
        }
    }

    @Test func `a client that nobody holds any more is gone with its connections`() async throws {
        let page = page
        try await GitHubStub.run { _, _ in
            .json(200, page)
        } test: { stub in
            weak var gone: GitHubClient?
            do {
                let client = try stub.client()
                gone = client
                let found = try await client.page(query).totalCount
                #expect(found == 99)
            }
            #expect(await eventually { gone == nil && stub.server.connectionCount == 0 })
        }
    }
}
