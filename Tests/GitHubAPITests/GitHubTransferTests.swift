import CombineCore
import Foundation
import GitHubAPI
import HTTPModel
import HTTPServerTesting
import HTTPTransfer
import Locking
import Testing

/// Tests of transfers over a real socket: truncation, limits, redirects and cancellation.
@Suite struct GitHubTransferTests {
    private let query: RepositoryQuery
    private let page = GitHubText.page([GitHubText.item()], total: 99)

    init() throws {
        query = try RepositoryQuery(text: "swift")
    }

    @Test func `a body is truncated if the connection closes before it is complete`() async throws {
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

    @Test func `a connection that closes before any response is reported as truncated`() async throws {
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

    @Test func `a request names the span for which it is sent, and only then`() async throws {
        let page = page
        try await GitHubStub.run { _, _ in
            .json(200, page)
        } test: { stub in
            let client = try stub.client(cacheEntries: 0)
            let trace = TraceContext(traceID: 0xABC, spanID: 0xD, state: "rojo=1")
            _ = try await TraceContext.$current.withValue(trace) { try await client.page(query) }
            _ = try await client.page(query)
            let plain = TraceContext(traceID: 0xABC, spanID: 0xE)
            _ = try await TraceContext.$current.withValue(plain) { try await client.page(query) }
            let fields = stub.requests.map(\.fields)
            try #require(fields.count == 3)
            #expect(fields.map { $0.value(.traceparent) } == [trace.traceparent, nil, plain.traceparent])
            #expect(fields.map { $0.value(.tracestate) } == ["rojo=1", nil, nil])
        }
    }

    @Test func `a body that arrives in small parts is assembled`() async throws {
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

    @Test func `a body over the limit is rejected, and its connection is closed`() async throws {
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

    @Test func `an address without a listener is reported as offline, and the client remains usable`() async throws {
        let port = try HTTPTestHeldPort()
        let client = GitHubClient(
            configuration: try GitHubConfiguration(
                baseAddress: "http://127.0.0.1:\(port.number)", idleTimeout: .seconds(600),
                totalTimeout: .seconds(600)))
        for _ in 0..<2 {
            let error = await client.failure(query)
            #expect(error?.code == .offline)
            #expect(error?.message.hasPrefix("GitHub (127.0.0.1) cannot be reached: ") == true)
        }
        withExtendedLifetime(port) {}
    }

    @Test func `a host name that does not exist is reported as offline`() async throws {
        // A label is longer than names may have, so the resolver knows it without asking a server, which may not answer.
        let host = String(repeating: "a", count: 64) + ".invalid"
        let configuration = try GitHubConfiguration(
            baseAddress: "http://\(host)", idleTimeout: .seconds(600), totalTimeout: .seconds(600))
        #expect(await GitHubClient(configuration: configuration).failure(query)?.code == .offline)
    }

    @Test func `a response that does not begin in time times out`() async throws {
        try await GitHubStub.run { _, _ in
            .silence
        } test: { stub in
            let error = try await stub.client(idleTimeout: .milliseconds(100)).failure(query)
            #expect(error?.code == .timedOut)
            #expect(error?.message == "GitHub (127.0.0.1) did not respond in time.")
        }
    }

    @Test func `a response that never ends times out even if it keeps sending`() async throws {
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

    @Test func `a redirect to another host or port is not followed, so the target receives no request`()
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

    @Test func `a redirect loop ends`() async throws {
        try await GitHubStub.run { _, _ in
            .json(307, "", [.location: "/again"])
        } test: { stub in
            let found = try await stub.client().failure(query)?.code
            #expect(found == .redirected)
            #expect(stub.requests.count == TransferClient.maxRedirects + 1)
        }
    }

    @Test func `cancelling the subscription aborts the request at the server`() async throws {
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

    @Test func `a client remains usable after a search was cancelled`() async throws {
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

    @Test func `a client that is no longer referenced is deallocated and closes its connections`() async throws {
        let page = page
        try await GitHubStub.run { _, _ in
            .json(200, page)
        } test: { stub in
            weak var weakClient: GitHubClient?
            do {
                let client = try stub.client()
                weakClient = client
                let found = try await client.page(query).totalCount
                #expect(found == 99)
            }
            #expect(await eventually { weakClient == nil && stub.server.connectionCount == 0 })
        }
    }
}
