import Foundation
import HTTPServer
import HTTPServerTesting
import Locking

/// Clients that go on making new connections, one after the other for each listener, until they are told to stop.
final class ConnectionLoad: Sendable {
    /// What became of them.
    struct Tally: Sendable, Equatable {
        var answered = 0
        /// Those that could not be made.
        var refused: [String] = []
        /// Those that were broken off, or ended without an answer.
        var failed: [String] = []
    }

    private let listeners: [HTTPListener]
    private let tallies: [Lock<Tally>]
    /// One for each client when it is to stop.
    private let over = DispatchSemaphore(value: 0)
    /// One for each connection that has come to an end.
    private let progress = DispatchSemaphore(value: 0)
    private let ended = DispatchGroup()

    /// Starts one client for each listener.
    init(on listeners: [HTTPListener]) {
        self.listeners = listeners
        tallies = listeners.map { _ in Lock(Tally()) }
        for index in listeners.indices {
            ended.enter()
            Thread.detachNewThread { [self] in
                // Constant, and not all that the machine can do.
                while over.wait(timeout: .now() + .milliseconds(5)) == .timedOut {
                    ask(index)
                    progress.signal()
                }
                ended.leave()
            }
        }
    }

    /// Waits until each client has had so many answers more than now, or something has failed.
    func go(on count: Int) async {
        await onThread { [self] in awaitAnswers(count) }
    }

    private func awaitAnswers(_ count: Int) {
        let goals = tallies.map { $0.withLock { $0.answered + count } }
        repeat {
            let present = tallies.map { $0.withLock { $0 } }
            guard zip(present, goals).contains(where: { $0.answered < $1 }) else { return }
            guard present.allSatisfy({ $0.refused.isEmpty && $0.failed.isEmpty }) else { return }
        } while progress.wait(timeout: .now() + .seconds(120)) == .success
    }

    /// Stops, and tells what became of each listener's connections.
    func end() async -> [Tally] {
        for _ in listeners { over.signal() }
        await onThread { [ended] in ended.wait() }
        return tallies.map { $0.withLock { $0 } }
    }

    private func ask(_ index: Int) {
        let client: HTTPTestClient
        do {
            client = try connect(to: listeners[index])
        } catch {
            return tallies[index].withLock { $0.refused.append("\(error)") }
        }
        do {
            if listeners[index].isSecure { try client.beginTLS() }
            try client.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let answer = try client.receiveResponse()
            _ = try client.receiveToEnd()
            tallies[index].withLock { tally in
                if answer.status == 200, !client.wasReset {
                    tally.answered += 1
                } else {
                    tally.failed.append("status \(answer.status), reset: \(client.wasReset)")
                }
            }
        } catch {
            tallies[index].withLock { $0.failed.append("\(error), reset: \(client.wasReset)") }
        }
    }

    private func connect(to listener: HTTPListener) throws -> HTTPTestClient {
        switch listener.place {
        case .address(let host, let port): try HTTPTestClient(port: port, host: host)
        case .unix(let path, _): try HTTPTestClient(unixSocket: path)
        }
    }
}
