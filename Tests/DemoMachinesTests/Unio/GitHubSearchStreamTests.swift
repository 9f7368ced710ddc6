import DemoMachines
import GitHubAPI
import RxCore
import RxTesting
import Testing
import Unio

/// Tests of the three streams together, on virtual time. One tick is a millisecond.
struct GitHubSearchStreamTests {
    private let scheduler = TestScheduler(initialClock: 0, resolution: 0.001)
    private let gitHub = FakeGitHub()
    private let stream: GitHubSearchViewStream

    init() {
        stream = GitHubSearchViewStream(
            apiExtra: .init(searchRepositories: gitHub.search, scheduler: scheduler))
    }

    private var ids: [Int] { stream.output.repositories.value.map(\.id) }

    /// Types a text and advances the time until its search is sent.
    private func search(_ text: String) {
        stream.input.searchText(text)
        scheduler.advanceBy(300)
    }

    @Test func `it begins without results and sends no request`() {
        scheduler.start()
        #expect(gitHub.queries.isEmpty)
        #expect(ids == [])
    }

    @Test func `a text is searched for after a pause of 300 ms`() {
        for text in ["s", "sw", "swift"] {
            stream.input.searchText(text)
            scheduler.advanceBy(299)
        }
        #expect(gitHub.queries.isEmpty)
        scheduler.advanceBy(1)
        #expect(gitHub.queries.map(\.text) == ["swift"])
    }

    @Test(arguments: ["", nil])
    func `an empty text is ignored, and cancels a text whose search was not sent yet`(empty: String?) {
        search("swift")
        gitHub.answer(0, 1...3)
        scheduler.advanceBy(1)
        stream.input.searchText("nio")
        scheduler.advanceBy(200)
        stream.input.searchText(empty)
        scheduler.start()
        #expect(gitHub.queries.map(\.text) == ["swift"])
        #expect(ids == [1, 2, 3])
    }

    @Test func `a result is shown on the stream's scheduler`() {
        search("swift")
        gitHub.answer(0, 1...3)
        #expect(ids == [])
        scheduler.advanceBy(1)
        #expect(ids == [1, 2, 3])
    }

    @Test func `a newer text cancels the older search, whose result is never shown`() {
        search("swift")
        search("swift nio")
        #expect(gitHub.cancelled == [0])
        gitHub.answer(0, 1...3)
        gitHub.answer(1, 7...8)
        scheduler.start()
        #expect(ids == [7, 8])
    }

    @Test func `a pending result is dropped when a newer text is searched for`() {
        search("swift")
        stream.input.searchText("nio")
        scheduler.advanceBy(299)
        gitHub.answer(0, 1...3)
        // The result is queued behind the tick on which the newer search begins.
        scheduler.start()
        #expect(gitHub.queries.count == 2)
        #expect(ids == [])
    }

    @Test func `an error is an output and does not end the stream`() {
        var messages: [String] = []
        let subscription = stream.output.errorMessage.subscribe(onNext: { messages.append($0) })
        search("swift")
        gitHub.answer(0, 1...3)
        search("nio")
        gitHub.fail(1, GitHubError(.offline, "There is no network."))
        scheduler.advanceBy(1)
        #expect(messages == ["There is no network."])
        #expect(ids == [1, 2, 3])
        search("nio")
        gitHub.answer(2, 4...5)
        scheduler.advanceBy(1)
        #expect(ids == [4, 5])
        #expect(messages.count == 1)
        subscription.dispose()
    }

    @Test func `an invalid text is reported without a request`() {
        var messages: [String] = []
        let subscription = stream.output.errorMessage.subscribe(onNext: { messages.append($0) })
        search(String(repeating: "x", count: RepositoryQuery.textLimit + 1))
        scheduler.start()
        subscription.dispose()
        #expect(gitHub.queries.isEmpty)
        #expect(messages.first?.hasPrefix("The text to search for is too long") == true)
    }

    @Test func `the logic stream works with a mock of the API stream`() {
        final class MockAPIStream: GitHubSearchAPIStreamType {
            let input: InputWrapper<GitHubSearchAPIStream.Input>
            let output: OutputWrapper<GitHubSearchAPIStream.Output>
            let texts = GitHubSearchAPIStream.Input()

            init() {
                input = InputWrapper(texts)
                output = OutputWrapper(GitHubSearchAPIStream.Output(searchResponse: .never(), searchError: .never()))
            }
        }
        let mock = MockAPIStream()
        let logic = GitHubSearchLogicStream(
            input: .init(), state: .init(), extra: .init(searchAPIStream: mock, scheduler: scheduler))
        let asked = scheduler.createObserver(String.self)
        let subscription = mock.texts.searchRepository.subscribe(asked)
        logic.input.searchText("swift")
        scheduler.start()
        subscription.dispose()
        #expect(asked.events == [.next(300, "swift")])
    }

    @Test func `a deallocated stream cancels its search and releases everything`() {
        weak var gone: GitHubSearchViewStream?
        do {
            let stream = GitHubSearchViewStream(
                apiExtra: .init(searchRepositories: gitHub.search, scheduler: scheduler))
            gone = stream
            stream.input.searchText("swift")
            scheduler.advanceBy(300)
            #expect(gitHub.queries.count == 1)
        }
        #expect(gone == nil)
        #expect(gitHub.cancelled == [0])
    }
}
