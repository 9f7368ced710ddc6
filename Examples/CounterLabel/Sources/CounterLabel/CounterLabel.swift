import AsyncBinding
import Foundation
import GranaryClient

@main
struct CounterLabel {
    @MainActor
    static func main() async {
        let address = CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080"
        guard let server = URL(string: address), server.host() != nil else {
            return fail("usage: counter-label [http://host:port]")
        }
        var configuration = ClientConfiguration()
        // Somebody waits for the result.
        configuration.retry.maxAttempts = 3
        do {
            let connection = GranaryConnection(to: server, configuration: configuration)
            try await countToThree(on: connection) { print($0) }
        } catch {
            fail("\(server) does not host the counter as expected: \(error)")
        }
    }

    /// Counts to three on the server and shows the count in a label.
    @MainActor
    static func countToThree(on connection: GranaryConnection, show: @escaping (String) -> Void) async throws {
        let counter = try await connection.machine(Counter.self)
        let label = Label { text in show(text ?? "") }
        let binding = label.asyncBinding.bind(\.text) <~ counter.changes.map { "\($0.outputs.count)" }
        for _ in 1...3 { try await counter.send(.increment) }
        try await counter.delete()
        _ = await binding.end
    }

    private static func fail(_ sentence: String) {
        FileHandle.standardError.write(Data("\(sentence)\n".utf8))
        exit(1)
    }
}
