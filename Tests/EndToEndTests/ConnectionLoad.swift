import Foundation
import HTTPServer
import HTTPServerTesting
import Locking

/// Clients that make one connection after the other to each listener until they are stopped.
final class ConnectionLoad: Sendable {
    /// The results of a listener's connections.
    struct Tally: Sendable, Equatable {
        var answered = 0
        /// The connections that could not be made.
        var refused: [String] = []
        /// The connections that were reset, or closed without a response.
        var failed: [String] = []
    }

    private let listeners: [HTTPListener]
    private let tallies: [Lock<Tally>]
    /// Signalled once for each client that must stop.
    private let over = DispatchSemaphore(value: 0)
    /// Signalled for each connection that has ended.
    private let progress = DispatchSemaphore(value: 0)
    private let ended = DispatchGroup()

    /// Starts one client for each listener.
    init(on listeners: [HTTPListener]) {
        self.listeners = listeners
        tallies = listeners.map { _ in Lock(Tally()) }
        for index in listeners.indices {
            ended.enter()
            Thread.detachNewThread { [self] in
                // A constant load below the capacity of the machine.
                while over.wait(timeout: .now() + .milliseconds(5)) == .timedOut {
                    ask(index)
                    progress.signal()
                }
                ended.leave()
            }
        }
    }

    /// Waits until each client has received a number of further responses, or a connection has failed.
    func go(on count: Int) async {
        await onThread { [self] in awaitAnswers(count) }
    }

    private func awaitAnswers(_ count: Int) {
        let goals = tallies.map { $0.withLock { $0.answered + count } }
        while true {
            let present = tallies.map { $0.withLock { $0 } }
            guard zip(present, goals).contains(where: { $0.answered < $1 }) else { return }
            guard present.allSatisfy({ $0.refused.isEmpty && $0.failed.isEmpty }) else { return }
            // Each connection ends, because its client waits for a limited time.
            progress.wait()
        }
    }

    /// Stops the clients and returns the results for each listener.
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
