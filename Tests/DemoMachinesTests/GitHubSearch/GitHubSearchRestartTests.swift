import CombineCore
import CombineSchedulers
import DemoMachines
import GitHubAPI
import HTTPModel
import Locking
import MachineHost
import MachineTesting
import RicemillAdapter
import Testing

/// The GitHub search when its process is killed.
struct GitHubSearchRestartTests {
    private let gitHub = UnsafeTransfer(FakeGitHub())
    private let host: RestartableHost
    private let session: String

    init() throws {
        let gitHub = gitHub
        host = try RestartableHost([
            .ricemill("github-search", summary: "A demo.") { context in
                GitHubSearchViewModel(
                    input: .init(), store: .init(),
                    extra: .init(
                        searchRepositories: context.effect("search") { gitHub.value.search($0) },
                        scheduler: context.scheduler.eraseToAnyScheduler()))
            }
        ])
        session = host.harness.makeSession(of: "github-search")
    }

    private var outputs: String { host.send(.get, session + "/outputs").text }

    private func type(_ text: String) {
        _ = host.send(.post, session + "/inputs/text", body: "\"\(text)\"")
    }

    @Test func `a kill between a keystroke and its search leads to one search`() throws {
        type("swift")
        host.harness.loop.advance(by: .milliseconds(200))
        try host.restart()
        #expect(outputs.contains(#""isLoading":false"#))
        host.harness.loop.advance(by: .seconds(1))
        #expect(gitHub.value.queries.map(\.text) == ["swift"])
        #expect(outputs.contains(#""isLoading":true"#))
    }

    @Test func `a kill during a search leads to the same search once more, and the spinner ends`() throws {
        type("swift")
        host.harness.loop.advance(by: .seconds(1))
        #expect(gitHub.value.queries.count == 1)
        try host.restart(after: 5)
        #expect(outputs.contains(#""isLoading":true"#))
        host.harness.loop.advance(by: .seconds(1))
        try #require(gitHub.value.queries.map(\.text) == ["swift", "swift"])
        gitHub.value.answer(1, 1...3)
        host.harness.loop.run()
        #expect(outputs.contains(#""isLoading":false"#))
        #expect(outputs.contains(#""fullName":"owner\/3""#) || outputs.contains(#""fullName":"owner/3""#))
    }

    @Test func `a kill during a search for the next page asks for the same page`() throws {
        type("swift")
        host.harness.loop.advance(by: .seconds(1))
        gitHub.value.answer(0, 1...3)
        host.harness.loop.run()
        _ = host.send(.post, session + "/inputs/nextPage")
        try host.restart()
        _ = outputs
        try #require(gitHub.value.queries.map(\.page) == [1, 2, 2])
        gitHub.value.answer(2, 4...5, hasMore: false)
        host.harness.loop.run()
        #expect(outputs.contains(#""page":2"#))
        #expect(outputs.contains(#""isLoading":false"#))
    }

    @Test func `a newer text cancels a search that was asked again`() throws {
        type("swift")
        host.harness.loop.advance(by: .seconds(1))
        try host.restart()
        type("kotlin")
        host.harness.loop.advance(by: .seconds(1))
        #expect(gitHub.value.queries.map(\.text) == ["swift", "swift", "kotlin"])
        #expect(gitHub.value.cancelled.contains(1))
    }

    @Test func `a kill between a keystroke and its debounce, and during a search, repeats each of them once`() throws {
        type("swift")
        host.harness.loop.advance(by: .seconds(1))
        type("swiftui")
        host.harness.loop.advance(by: .milliseconds(100))
        #expect(gitHub.value.queries.map(\.text) == ["swift"])
        try host.restart()
        #expect(outputs.contains(#""isLoading":true"#))
        #expect(gitHub.value.queries.map(\.text) == ["swift", "swift"])
        host.harness.loop.advance(by: .seconds(1))
        try #require(gitHub.value.queries.map(\.text) == ["swift", "swift", "swiftui"])
        #expect(gitHub.value.cancelled.contains(1))
        gitHub.value.answer(2, 1...3)
        host.harness.loop.run()
        #expect(outputs.contains(#""isLoading":false"#))
        host.harness.loop.advance(by: .seconds(10))
        #expect(gitHub.value.queries.count == 3)
        try host.restart()
        #expect(outputs.contains(#""isLoading":false"#))
        #expect(gitHub.value.queries.count == 3)
    }
}
