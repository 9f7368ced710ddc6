import Dispatch
import Foundation
import GranaryClient

@main
struct TodoTerminal {
    @MainActor
    static func main() async {
        let address = CommandLine.arguments.dropFirst().first ?? "http://localhost:8080"
        guard CommandLine.arguments.count < 3, let url = URL(string: address), url.host() != nil else {
            fail("usage: todo [http://host:port | the link of an invitation]")
        }
        // Nothing has to be restored, and what was sent was sent.
        signal(SIGINT, SIG_IGN)
        let interruption = DispatchSource.makeSignalSource(signal: SIGINT, queue: .main)
        interruption.setEventHandler { end(0) }
        interruption.resume()
        defer { interruption.cancel() }
        report("connecting to \(url.host() ?? address)")
        do {
            let list = try await open(url)
            let (lines, input) = AsyncStream.makeStream(of: String.self)
            let terminal = Terminal(list, write: write) { input.finish() }
            // Reading waits, which the main actor must not.
            Thread.detachNewThread {
                while let line = readLine() { input.yield(line) }
                input.finish()
            }
            for await line in lines where !line.trimmed.isEmpty { await terminal.run(line) }
            if case .ended = list.status { end(1) }
        } catch {
            fail("\(url.host() ?? address) has no list: \(error)".printable)
        }
    }

    /// Opens the list of an invitation, the one of the user whose token is in the environment, or a new one.
    @MainActor
    private static func open(_ url: URL) async throws -> RemoteMachine<ComposableTodos> {
        guard let invitation = Invitation(url) else {
            let token = ProcessInfo.processInfo.environment["GRANARY_TOKEN"]
            let connection = GranaryConnection(to: url, credential: token.map { .fixed(.bearer($0)) } ?? .none)
            return try await connection.machine(named: token.map { _ in "todos" })
        }
        guard invitation.machine == ComposableTodos.machineName else { fail("the invitation is not to a list") }
        return try await GranaryConnection.joining(invitation).machine(id: invitation.session)
    }

    /// Writes a text immediately, whether or not the output is a terminal.
    private static func write(_ text: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8))
        } catch {
            // Nobody reads it any more.
            end(0)
        }
    }

    private static func report(_ sentence: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(sentence)\n".utf8))
    }

    private static func fail(_ sentence: String) -> Never {
        report(sentence)
        end(1)
    }

    /// Ends the program. `exit` could wait for the thread that reads, which has locked the input.
    private static func end(_ status: Int32) -> Never { _exit(status) }
}
