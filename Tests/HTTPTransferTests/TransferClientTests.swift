import Foundation
import HTTPTransfer
import Locking
import Testing

/// Transfers over real sockets from servers that behave well.
@Suite struct TransferClientTests {
    private let client = TransferClient()

    @Test func `a request and its response arrive unchanged`() async throws {
        let received = Lock("")
        let server = try RawServer { connection in
            let head = connection.readHead()
            received.withLock { $0 = head + connection.read(4) }
            connection.send("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
            connection.send("HTTP/1.1 201 Created\r\nX-One: a\r\nx-one: b \r\nContent-Length: 7\r\n\r\ncontent")
        }
        let request = TransferRequest(
            server.url, method: "POST", fields: [("X-Two", "c"), ("X-Empty", ""), ("Accept", "text/plain")],
            body: Array("body".utf8))
        let recording = await client.record(request)
        #expect(recording.heads.map(\.status) == [201])
        #expect(recording.heads.first?.fields.map(\.name) == ["X-One", "x-one", "Content-Length"])
        #expect(recording.heads.first?.fields.map(\.value) == ["a", "b", "7"])
        #expect(recording.text == "content")
        #expect(recording.failures == [nil])
        let lines = received.withLock(\.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.first == "POST /path?a=b HTTP/1.1")
        #expect(lines.last == "body")
        #expect(
            Set(lines.dropFirst().dropLast(2)) == [
                "Host: 127.0.0.1:\(server.port)", "X-Two: c", "X-Empty:", "Accept: text/plain", "Content-Length: 4",
                "Accept-Encoding: deflate, gzip, br, zstd",
            ])
    }

    @Test(arguments: [("GET", nil), ("DELETE", nil), ("POST", "Content-Length: 0"), ("PUT", "Content-Length: 0")])
    func `a request without content says so where its method may have some`(method: String, line: String?) async throws
    {
        let received = Lock("")
        let server = try RawServer { connection in
            received.withLock { $0 = connection.readHead() }
            connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        }
        #expect(await client.record(TransferRequest(server.url, method: method)).failures == [nil])
        let lines = received.withLock(\.self).split(separator: "\r\n").map(String.init)
        #expect(lines.first == "\(method) /path?a=b HTTP/1.1")
        #expect(lines.first { $0.hasPrefix("Content-Length") } == line)
    }

    @Test func `a response is collected, and its connection serves the next request`() async throws {
        let connections = Lock(0)
        let server = try RawServer { connection in
            connections.withLock { $0 += 1 }
            while !connection.readHead().isEmpty {
                connection.send(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-Trailer: x\r\n\r\n"
                )
            }
        }
        for _ in 1...3 {
            let response = try await withCheckedContinuation { continuation in
                _ = client.collect(TransferRequest(server.url)) { continuation.resume(returning: $0) }
            }.get()
            #expect(response.head.status == 200)
            #expect(String(decoding: response.body, as: UTF8.self) == "abcde")
        }
        #expect(connections.withLock(\.self) == 1)
    }

    @Test func `many transfers run at the same time`() async throws {
        // Each response waits for all requests.
        let arrivals = Lock((count: 0, waiting: [RawServer.Connection]()))
        let server = try RawServer { connection in
            connection.readHead()
            let ready = arrivals.withLock { arrivals in
                arrivals.count += 1
                arrivals.waiting.append(connection)
                return arrivals.count == 20 ? arrivals.waiting : []
            }
            for other in ready { other.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }
            connection.waitForClose()
        }
        await withTaskGroup(of: String.self) { group in
            for _ in 1...20 { group.addTask { [client] in await client.record(TransferRequest(server.url)).text } }
            for await text in group { #expect(text == "ok") }
        }
    }

    @Test func `parts arrive while the response continues`() async throws {
        let seen = Lock<RawServer.Connection?>(nil)
        let server = try RawServer { connection in
            connection.readHead()
            seen.withLock { $0 = connection }
            connection.send("HTTP/1.1 200 OK\r\n\r\nfirst")
            connection.waitForClose()
        }
        let recording = await client.record(
            TransferRequest(server.url),
            watch: { transfer, event in
                // The server sends the second part after the client has received the first one.
                if case .bytes(let bytes) = event {
                    if bytes == Array("first".utf8) {
                        seen.withLock { _ = $0?.send("second") }
                    } else {
                        transfer.cancel()
                    }
                }
            })
        #expect(recording.text == "firstsecond")
        #expect(recording.failures == [.cancelled])
    }

    @Test func `a redirect is followed with the same fields if the request says so`() async throws {
        let heads = Lock<[String]>([])
        let server = try RawServer { connection in
            while case let head = connection.readHead(), !head.isEmpty {
                heads.withLock { $0.append(head) }
                connection.send(
                    head.hasPrefix("GET /next ")
                        ? "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nnew"
                        : "HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 3\r\n\r\nold")
            }
        }
        let asked = Lock<[String]>([])
        let followed = await client.record(
            TransferRequest(server.url, fields: [("X-One", "a")]) { url in
                asked.withLock { $0.append(url.absoluteString) }
                return true
            })
        #expect(followed.heads.map(\.status) == [200])
        #expect(followed.text == "new")
        #expect(asked.withLock(\.self) == ["http://127.0.0.1:\(server.port)/next"])
        #expect(heads.withLock { $0.filter { $0.contains("X-One: a\r\n") }.count } == 2)
        let itself = await client.record(TransferRequest(server.url))
        #expect(itself.heads.map(\.status) == [302])
        #expect(itself.text == "old")
        let posted = await client.record(TransferRequest(server.url, method: "POST") { _ in true })
        #expect(posted.heads.map(\.status) == [302])
    }

    @Test func `a redirect loop ends with a redirect`() async throws {
        let count = Lock(0)
        let server = try RawServer { connection in
            while !connection.readHead().isEmpty {
                count.withLock { $0 += 1 }
                connection.send("HTTP/1.1 307 Temporary Redirect\r\nLocation: ?again\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let recording = await client.record(TransferRequest(server.url) { _ in true })
        #expect(recording.heads.map(\.status) == [307])
        #expect(recording.failures == [nil])
        #expect(count.withLock(\.self) == TransferClient.maxRedirects + 1)
    }

    @Test(arguments: ["http://a:b@127.0.0.1/", "file:///etc/passwd", "ftp://127.0.0.1/", "//", "http://", "/%zz%", ""])
    func `a redirect to a URL with a user or another scheme is not followed`(location: String) async throws {
        let server = try RawServer { connection in
            connection.readHead()
            connection.send("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
        }
        let recording = await client.record(TransferRequest(server.url) { _ in true })
        #expect(recording.heads.map(\.status) == [302])
    }

    @Test func `a client that is released cancels its transfers and closes its connections`() async throws {
        let closed = AsyncStream.makeStream(of: Void.self)
        let arrived = AsyncStream.makeStream(of: Void.self)
        let server = try RawServer { connection in
            connection.readHead()
            arrived.continuation.yield()
            connection.waitForClose()
            closed.continuation.yield()
        }
        let ends = AsyncStream.makeStream(of: TransferFailure?.self)
        var client: TransferClient? = TransferClient()
        client?.start(TransferRequest(server.url)) { _, event in
            switch event {
            case .failed(let failure): ends.continuation.yield(failure)
            default: ends.continuation.yield(nil)
            }
        }
        for await _ in arrived.stream { break }
        client = nil
        for await failure in ends.stream {
            #expect(failure == .cancelled)
            break
        }
        for await _ in closed.stream { break }
    }
}
