import CombineSchedulers
import DemoMachines
import Dispatch
import GitHubAPI
import HTTPServerTesting
import Ricemill
import Testing

/// Tests of the machine with the real client and a real queue, but without a network.
@Suite struct GitHubSearchOfflineTests {
    private let queue = DispatchQueue(label: "granary.tests.session")

    @Test func `without a network, it reports an error in an output and remains usable`() async throws {
        let port = try HTTPTestHeldPort()
        let client = GitHubClient(
            configuration: try GitHubConfiguration(
                baseAddress: "http://127.0.0.1:\(port.number)", idleTimeout: .seconds(600),
                totalTimeout: .seconds(600)))
        let machine = queue.sync {
            GitHubSearchViewModel(
                input: .init(), store: .init(),
                extra: .init(searchRepositories: client.searchRepositories, scheduler: queue.eraseToAnyScheduler()))
        }
        for text in ["swift", "swift nio"] {
            queue.sync { machine.input.text.wrappedValue = text }
            let isDone: () -> Bool = { machine.output.query == text && !machine.output.isLoading }
            #expect(await eventually { queue.sync(execute: isDone) })
            let message = queue.sync { machine.output.errorMessage }
            #expect(message?.hasPrefix("GitHub (127.0.0.1) cannot be reached: ") == true)
            #expect(queue.sync { machine.output.repositories.isEmpty })
        }
        withExtendedLifetime(port) {}
    }
}
