import HTTPModel
import Locking
import MachineHost
import MachineTesting

/// A process with stored sessions, whose loop is also the thread of its journal's writer.
final class StoringProcess {
    /// The errors that end the process.
    let failures: Lock<[String]>
    private let harness: HostHarness

    /// Starts a process.
    ///
    /// - Parameter open: Opens its journal.
    init(_ open: @escaping @Sendable () throws -> any Journal) throws {
        let (loop, failures) = (VirtualEventLoop(), Lock<[String]>([]))
        let (start, beginning) = (loop.now, WallTime(seconds: 1_767_225_600))
        let writer = JournalWriter(
            executor: LoopExecutor(loop: loop), wallClock: { beginning + (loop.now - start) }, uptime: { loop.now }
        ) { error in failures.withLock { $0.append("\(error)") } }
        var machine = ScriptedMachine.definition(
            outputs: ["text"], inputs: ["write": { machine, text in machine.set("text", to: text) }],
            made: { $0.set("text", to: "\"\"") })
        machine.captureObstacles = []
        harness = try HostHarness([machine], loop: loop, beginning: beginning, journal: writer)
        self.failures = failures
        writer.open(open) { error in
            if let error { failures.withLock { $0.append("\(error)") } }
        }
        loop.run()
    }

    /// Sends a request as JSON. Returns the response; nil if none exists.
    private func send(_ target: String, _ body: String) -> HTTPResponse? {
        let request = HTTPRequest(
            method: .post, target: target, fields: [.contentType: "application/json"], body: Array(body.utf8))
        var response: HTTPResponse?
        switch harness.respond(to: request) {
        case .response(let immediate): response = immediate
        case .deferred(let promise): promise.whenFulfilled { response = $0 }
        }
        harness.loop.run()
        return response
    }

    /// Creates a session. Returns its path; nil if the creation was not acknowledged.
    func makeSession() -> String? {
        send("/v1/sessions", #"{"machine":"scripted"}"#)?.fields.value(.location)
    }

    /// Sends an input to a session. Returns the body of the response; nil if it was not acknowledged.
    func write(_ text: String, to session: String) -> String? {
        send(session + "/inputs/write", "\"\(text)\"").map { String(decoding: $0.body.bytes ?? [], as: UTF8.self) }
    }

    /// Lets time pass.
    func advance(by duration: Duration) { harness.loop.advance(by: duration) }
}

/// A loop as the thread of a journal's writer.
private struct LoopExecutor: JournalExecutor {
    let loop: VirtualEventLoop

    func execute(_ work: @escaping @Sendable () -> Void) { loop.execute(work) }

    func execute(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        _ = loop.schedule(after: delay, work)
    }
}
