import CLinux
import Glibc
import Testing

@testable import HTTPServer

/// Writing to one side of a socket pair, whose other side the test reads.
@Suite struct SocketTransportTests {
    private final class Handler: EpollHandler {
        var rounds = 0

        override func roundEnded() { rounds += 1 }
    }

    /// The state after an outcome was settled on a loop.
    private struct Settled {
        var isAlive = false
        var isWatched = false
        var isMarked = false
        var wait = ConnectionDeadlines.Wait.none
    }

    private func settle(_ outcome: UnsentBytes.Outcome) async throws -> Settled {
        let loop = try EpollEventLoop(index: 0, count: 1)
        defer { loop.stop {} }
        return await withCheckedContinuation { continuation in
            loop.execute {
                var sockets: [Int32] = [-1, -1]
                _ = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &sockets)
                var transport = SocketTransport(descriptor: sockets[0], secure: nil)
                let handler = Handler(descriptor: sockets[0])
                _ = loop.add(handler, for: transport.watchedEvents)
                var deadlines = ConnectionDeadlines()
                deadlines.update(to: .write, at: 1)
                let isAlive = transport.settle(outcome, of: handler, &deadlines, on: loop)
                let settled = Settled(
                    isAlive: isAlive, isWatched: transport.unsent.isWatched, isMarked: handler.isMarked,
                    wait: deadlines.wait)
                loop.unmark(handler)
                loop.remove(handler)
                transport.close(abruptly: false)
                close(sockets[1])
                continuation.resume(returning: settled)
            }
        }
    }

    @Test func `a complete write changes nothing`() async throws {
        let settled = try await settle(.sent)
        #expect(settled.isAlive && !settled.isWatched && !settled.isMarked && settled.wait == .write)
    }

    @Test func `a full socket is watched, and its wait continues`() async throws {
        let settled = try await settle(.blocked)
        #expect(settled.isAlive && settled.isWatched && !settled.isMarked && settled.wait == .write)
    }

    @Test func `a peer that has read something has its time again`() async throws {
        let settled = try await settle(.advanced)
        #expect(settled.isAlive && settled.isWatched && !settled.isMarked && settled.wait == .none)
    }

    @Test func `a connection continues when all of its bytes are sent`() async throws {
        let settled = try await settle(.drained)
        #expect(settled.isAlive && !settled.isWatched && settled.isMarked && settled.wait == .none)
    }

    @Test func `a failed socket is reported`() async throws {
        #expect(try await settle(.failed).isAlive == false)
    }
}
