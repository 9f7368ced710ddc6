import Dispatch
import Foundation
import HTTPTransfer
import Locking
import Testing

/// Cancellation of transfers at each of their stages, many times.
@Suite struct CancellationTests {
    enum Stage: CaseIterable {
        case started
        case sent
        case redirected
        case headReceived
        case contentReceived
        case ending
    }

    private static let repetitions = 200

    /// The transfer in flight, and where it is cancelled.
    private struct Cancellation: Sendable {
        let stage: Stage
        let transfer = Lock<Transfer?>(nil)
        let hasStarted = DispatchSemaphore(value: 0)

        func reached(_ stage: Stage) {
            guard stage == self.stage else { return }
            let transfer = transfer.withLock(\.self)
            for _ in 1...2 {
                // At the same time as the end, and as each other.
                if stage == .ending { DispatchQueue.global().async { transfer?.cancel() } } else { transfer?.cancel() }
            }
        }
    }

    @Test(arguments: Stage.allCases)
    func `a cancelled transfer ends exactly once, and its client remains usable`(stage: Stage) async throws {
        let cancellation = Cancellation(stage: stage)
        let server = try RawServer { connection in
            while case let head = connection.readHead(), !head.isEmpty {
                if head.hasPrefix("GET /path") {
                    cancellation.hasStarted.wait()
                    cancellation.reached(.sent)
                    // Nothing but the cancellation ends these.
                    if [.started, .sent].contains(stage) { return connection.waitForClose() }
                    connection.send("HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n")
                } else {
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabcdef")
                }
            }
        }
        let client = TransferClient()
        let ends = Lock(0)
        let request = TransferRequest(server.url) { _ in
            cancellation.reached(.redirected)
            return true
        }
        for _ in 1...Self.repetitions {
            let recording = await client.record(request) { transfer in
                cancellation.transfer.withLock { $0 = transfer }
                cancellation.hasStarted.signal()
                cancellation.reached(.started)
            } watch: { _, event in
                switch event {
                case .head:
                    cancellation.reached(.headReceived)
                    cancellation.reached(.ending)
                case .bytes: cancellation.reached(.contentReceived)
                case .finished, .failed: ends.withLock { $0 += 1 }
                }
            }
            let failures: [TransferFailure?] = [.cancelled, nil]
            #expect(recording.failures == [.cancelled] || stage == .ending && failures.contains(recording.failures[0]))
            #expect(recording.heads.isEmpty == [.started, .sent, .redirected].contains(stage))
            #expect(recording.body.isEmpty || [.contentReceived, .ending].contains(stage))
        }
        let next = try #require(URL(string: "/next", relativeTo: server.url))
        #expect(await client.record(TransferRequest(next)).text == "abcdef")
        // The queue of the client is serial, so a second end of any transfer would have arrived.
        #expect(ends.withLock(\.self) == Self.repetitions)
    }

    @Test func `a transfer that has ended can be cancelled`() async throws {
        let server = try RawServer { connection in
            connection.readHead()
            connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        }
        let ended = Lock<Transfer?>(nil)
        let client = TransferClient()
        let recording = await client.record(TransferRequest(server.url)) { transfer in
            ended.withLock { $0 = transfer }
        }
        ended.withLock(\.self)?.cancel()
        #expect(recording.failures == [nil])
        #expect(await client.record(TransferRequest(server.url)).failures == [nil])
    }

    @Test func `many transfers are started and cancelled by many threads`() async throws {
        let server = try RawServer { connection in
            while true {
                let head = connection.readHead()
                if head.isEmpty { break }
                // Without a response, a transfer cannot end before it is cancelled.
                if !head.contains("/held") { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }
            }
        }
        let held = try #require(URL(string: "/held", relativeTo: server.url))
        let client = TransferClient()
        await withTaskGroup(of: Recording.self) { group in
            for number in 0..<Self.repetitions {
                group.addTask {
                    let isCancelled = number.isMultiple(of: 2)
                    return await client.record(TransferRequest(isCancelled ? held : server.url)) { transfer in
                        if isCancelled { transfer.cancel() }
                    }
                }
            }
            var counts: [TransferFailure?: Int] = [:]
            for await recording in group { counts[recording.failures[0], default: 0] += 1 }
            #expect(counts == [nil: Self.repetitions / 2, .cancelled: Self.repetitions / 2])
        }
    }
}
