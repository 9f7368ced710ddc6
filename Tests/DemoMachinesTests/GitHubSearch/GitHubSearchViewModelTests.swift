import CombineCore
import CombineSchedulers
import DemoMachines
import Dispatch
import GitHubAPI
import Ricemill
import Testing

struct GitHubSearchViewModelTests {
    private let scheduler = DispatchQueue.test
    private let gitHub = FakeGitHub()
    private let machine: GitHubSearchViewModel

    init() {
        machine = GitHubSearchViewModel(
            input: .init(), store: .init(),
            extra: .init(searchRepositories: gitHub.search, scheduler: scheduler.eraseToAnyScheduler()))
    }

    private var output: OutputProxy<GitHubSearchViewModel.Store> { machine.output }
    private var ids: [Int] { output.repositories.map(\.id) }

    private func type(_ text: String) {
        machine.input.text.wrappedValue = text
    }

    /// Types a text, advances the time until its search is sent, and responds to it.
    private func show(_ text: String, _ ids: ClosedRange<Int>, hasMore: Bool = true) {
        type(text)
        scheduler.advance(by: .milliseconds(300))
        gitHub.answer(gitHub.queries.count - 1, ids, hasMore: hasMore)
        scheduler.advance()
    }

    @Test func `it begins without results and sends no request`() {
        scheduler.run()
        #expect(gitHub.queries.isEmpty)
        #expect(output.repositories.isEmpty)
        #expect(!output.isLoading)
        #expect(output.errorMessage == nil)
        #expect(output.page == 0)
        #expect(!output.hasMore)
    }

    @Test func `a text is searched for after a pause of 300 ms`() {
        type("swift")
        scheduler.advance(by: .milliseconds(299))
        #expect(gitHub.queries.isEmpty)
        #expect(!output.isLoading)
        scheduler.advance(by: .milliseconds(1))
        #expect(gitHub.queries.map(\.text) == ["swift"])
        #expect(gitHub.queries.map(\.page) == [1])
        #expect(output.isLoading)
        #expect(output.query == "swift")
    }

    @Test func `every letter restarts the pause, so that one search is sent`() {
        for text in ["s", "sw", "swi", "swif", "swift"] {
            type(text)
            scheduler.advance(by: .milliseconds(299))
        }
        #expect(gitHub.queries.isEmpty)
        scheduler.run()
        #expect(gitHub.queries.map(\.text) == ["swift"])
    }

    @Test func `a result is shown on the machine's scheduler`() {
        type("swift")
        scheduler.advance(by: .milliseconds(300))
        gitHub.answer(0, 1...3, total: 42)
        #expect(ids.isEmpty)
        #expect(output.isLoading)
        scheduler.advance()
        #expect(ids == [1, 2, 3])
        #expect(!output.isLoading)
        #expect(output.totalCount == 42)
        #expect(output.page == 1)
        #expect(output.hasMore)
    }

    @Test func `the button searches for the text again after the same pause`() {
        show("swift", 1...3)
        machine.input.search.send()
        scheduler.advance(by: .milliseconds(299))
        #expect(gitHub.queries.count == 1)
        scheduler.advance(by: .milliseconds(1))
        #expect(gitHub.queries.map(\.text) == ["swift", "swift"])
    }

    @Test func `a text followed by the button sends one search`() {
        type("swift")
        scheduler.advance(by: .milliseconds(200))
        machine.input.search.send()
        scheduler.advance(by: .milliseconds(299))
        #expect(gitHub.queries.isEmpty)
        scheduler.run()
        #expect(gitHub.queries.count == 1)
    }

    @Test func `an equal text is not searched for again`() {
        show("swift", 1...3)
        type("swift")
        scheduler.run()
        #expect(gitHub.queries.count == 1)
        #expect(ids == [1, 2, 3])
    }

    @Test(arguments: ["", "  \n"])
    func `the button without a text sends no request`(text: String) {
        type(text)
        machine.input.search.send()
        scheduler.run()
        #expect(gitHub.queries.isEmpty)
        #expect(!output.isLoading)
        #expect(output.errorMessage == nil)
    }

    @Test func `a newer search cancels the older one, whose results are never shown`() {
        type("swift")
        scheduler.advance(by: .milliseconds(300))
        type("swift nio")
        scheduler.advance(by: .milliseconds(300))
        #expect(gitHub.cancelled == [0])
        gitHub.answer(0, 1...3)
        scheduler.advance()
        #expect(ids.isEmpty)
        #expect(output.isLoading)
        gitHub.answer(1, 7...8)
        scheduler.advance()
        #expect(ids == [7, 8])
        #expect(output.query == "swift nio")
    }

    @Test func `a pending result is not shown once its search was cancelled`() {
        type("swift")
        scheduler.advance(by: .milliseconds(300))
        gitHub.answer(0, 1...3)
        type("")
        scheduler.run()
        #expect(ids.isEmpty)
        #expect(!output.isLoading)
        #expect(!output.hasMore)
    }

    @Test func `a new search clears the results of the previous one`() {
        show("swift", 1...3)
        type("nio")
        scheduler.advance(by: .milliseconds(299))
        #expect(ids == [1, 2, 3])
        scheduler.advance(by: .milliseconds(1))
        #expect(ids.isEmpty)
        #expect(output.page == 0)
        #expect(output.totalCount == 0)
        #expect(!output.hasMore)
        #expect(gitHub.queries.map(\.page) == [1, 1])
    }

    @Test(arguments: ["", "   "])
    func `a blank text clears the results immediately and cancels the request`(blank: String) {
        show("swift", 1...3)
        type("nio")
        scheduler.advance(by: .milliseconds(300))
        type(blank)
        #expect(gitHub.cancelled == [1])
        #expect(ids.isEmpty)
        #expect(!output.isLoading)
        #expect(output.query == "")
        gitHub.answer(1, 7...8)
        scheduler.run()
        #expect(ids.isEmpty)
        #expect(output.errorMessage == nil)
        #expect(gitHub.queries.count == 2)
    }

    @Test func `a blank text cancels a text whose search was not sent yet`() {
        type("swift")
        scheduler.advance(by: .milliseconds(200))
        type("")
        scheduler.run()
        #expect(gitHub.queries.isEmpty)
    }

    @Test func `the same text is searched for again after a blank one`() {
        show("swift", 1...3)
        type("")
        type("swift")
        scheduler.run()
        #expect(gitHub.queries.map(\.text) == ["swift", "swift"])
    }

    @Test func `the next page is appended without duplicates`() {
        show("swift", 1...3)
        machine.input.nextPage.send()
        #expect(gitHub.queries.map(\.page) == [1, 2])
        #expect(gitHub.queries.map(\.text) == ["swift", "swift"])
        #expect(output.isLoading)
        #expect(ids == [1, 2, 3])
        gitHub.answer(1, 3...5, hasMore: false)
        scheduler.advance()
        #expect(ids == [1, 2, 3, 4, 5])
        #expect(output.page == 2)
        #expect(!output.hasMore)
        #expect(!output.isLoading)
    }

    @Test func `a request for the next page is ignored while loading, on the last page and before any search`() {
        machine.input.nextPage.send()
        type("swift")
        machine.input.nextPage.send()
        scheduler.advance(by: .milliseconds(300))
        machine.input.nextPage.send()
        #expect(gitHub.queries.map(\.page) == [1])
        gitHub.answer(0, 1...3)
        scheduler.advance()
        machine.input.nextPage.send()
        machine.input.nextPage.send()
        #expect(gitHub.queries.map(\.page) == [1, 2])
        gitHub.answer(1, 4...6, hasMore: false)
        scheduler.advance()
        machine.input.nextPage.send()
        #expect(gitHub.queries.map(\.page) == [1, 2])
    }

    @Test func `the next page belongs to the shown search, not to the text being typed`() {
        show("swift", 1...3)
        type("nio")
        machine.input.nextPage.send()
        #expect(gitHub.queries.map(\.text) == ["swift", "swift"])
        scheduler.advance(by: .milliseconds(300))
        #expect(gitHub.cancelled == [1])
        gitHub.answer(1, 4...6)
        gitHub.answer(2, 7...9)
        scheduler.advance()
        #expect(ids == [7, 8, 9])
    }

    @Test func `an error is shown as a message and does not end the machine`() {
        type("swift")
        scheduler.advance(by: .milliseconds(300))
        gitHub.fail(0, GitHubError(.offline, "There is no network."))
        scheduler.advance()
        #expect(output.errorMessage == "There is no network.")
        #expect(!output.isLoading)
        machine.input.search.send()
        scheduler.advance(by: .milliseconds(300))
        #expect(output.errorMessage == nil)
        #expect(output.isLoading)
        gitHub.answer(1, 1...3)
        scheduler.advance()
        #expect(ids == [1, 2, 3])
    }

    @Test func `a failed page keeps the earlier pages and can be requested again`() {
        show("swift", 1...3)
        machine.input.nextPage.send()
        gitHub.fail(1, GitHubError(.timedOut, "Too slow."))
        scheduler.advance()
        #expect(ids == [1, 2, 3])
        #expect(output.errorMessage == "Too slow.")
        #expect(output.hasMore)
        machine.input.nextPage.send()
        gitHub.answer(2, 4...6)
        scheduler.advance()
        #expect(gitHub.queries.map(\.page) == [1, 2, 2])
        #expect(ids == [1, 2, 3, 4, 5, 6])
        #expect(output.errorMessage == nil)
    }

    @Test func `an invalid text is reported without a request`() {
        type(String(repeating: "x", count: RepositoryQuery.textLimit + 1))
        scheduler.run()
        #expect(gitHub.queries.isEmpty)
        #expect(output.errorMessage?.hasPrefix("The text to search for is too long") == true)
        #expect(!output.isLoading)
    }

    @Test func `a deallocated machine cancels its search and releases everything`() {
        weak var gone: GitHubSearchViewModel?
        weak var store: GitHubSearchViewModel.Store?
        do {
            let shown = GitHubSearchViewModel.Store()
            let machine = GitHubSearchViewModel(
                input: .init(), store: shown,
                extra: .init(searchRepositories: gitHub.search, scheduler: scheduler.eraseToAnyScheduler()))
            gone = machine
            store = shown
            machine.input.text.wrappedValue = "swift"
            scheduler.advance(by: .milliseconds(300))
            #expect(shown.isLoading)
        }
        #expect(gone == nil)
        #expect(store == nil)
        #expect(gitHub.cancelled == [0])
    }
}
