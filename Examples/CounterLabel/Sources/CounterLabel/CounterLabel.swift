import AsyncBinding
import Foundation
import HostedCounter

@main
struct CounterLabel {
    @MainActor
    static func main() async {
        let address = CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080"
        guard let server = URL(string: address), server.host != nil else {
            return fail("usage: counter-label [http://host:port]")
        }
        do {
            try await countToThree(on: server)
        } catch {
            fail("\(server) does not host the counter as expected: \(error)")
        }
    }

    /// Counts to three on the server and shows the count in a label.
    @MainActor
    private static func countToThree(on server: URL) async throws {
        let counter = try await HostedCounter(on: server)
        let label = Label { text in print(text ?? "") }
        let binding = label.asyncBinding.bind(\.text) <~ counter.counts.map { $0.description }
        for _ in 0..<3 { try await counter.increment() }
        try await counter.end()
        if case .failed(let error) = await binding.end { throw error }
    }

    private static func fail(_ sentence: String) {
        FileHandle.standardError.write(Data("\(sentence)\n".utf8))
        exit(1)
    }
}
