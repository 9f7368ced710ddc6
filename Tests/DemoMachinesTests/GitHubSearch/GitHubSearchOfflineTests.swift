import CombineSchedulers
import DemoMachines
import Dispatch
import GitHubAPI
import Ricemill
import Testing

/// The machine with the real client, on a real queue, where there is no network to be had.
@Suite(.timeLimit(.minutes(10)))
struct GitHubSearchOfflineTests {
    private let queue = DispatchQueue(label: "granary.tests.session")

    /// Waits until what the machine shows satisfies the condition; it is looked at on the machine's queue only.
    private func eventually(_ condition: @escaping () -> Bool) async -> Bool {
        let limit = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < limit {
            if queue.sync(execute: condition) { return true }
            await withCheckedContinuation { continuation in
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5)) { continuation.resume() }
            }
        }
        return false
    }

    @Test func `without a network it says so in an output and goes on`() async throws {
        // Nobody listens on port 1, and only the system's own programs may.
        let client = GitHubClient(configuration: try GitHubConfiguration(baseAddress: "http://127.0.0.1:1"))
        let machine = queue.sync {
            GitHubSearchViewModel(
                input: .init(), store: .init(),
                extra: .init(searchRepositories: client.searchRepositories, scheduler: queue.eraseToAnyScheduler()))
        }
        for text in ["swift", "swift nio"] {
            queue.sync { machine.input.text.wrappedValue = text }
            #expect(await eventually { machine.output.query == text && !machine.output.isLoading })
            let message = queue.sync { machine.output.errorMessage }
            #expect(message?.hasPrefix("GitHub (127.0.0.1) cannot be reached: ") == true)
            #expect(queue.sync { machine.output.repositories.isEmpty })
        }
    }
}
