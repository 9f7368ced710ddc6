import CombineCore
import Foundation
import GitHubAPI
import HTTPModel
import HTTPServerTesting
import Locking
import Testing

@Suite struct RepositorySearchTests {
    private let query: RepositoryQuery
    private let page = GitHubText.page([GitHubText.item()], total: 99)

    init() throws {
        query = try RepositoryQuery(text: "swift")
    }

    /// A subscriber that requests values only when the test does, and records its events.
    ///
    /// Sendable because locks guard all of its state.
    private final class Recorder: Subscriber, @unchecked Sendable {
        typealias Input = RepositoryPage
        typealias Failure = GitHubError

        let subscription = Lock<(any Subscription)?>(nil)
        let events = Lock<[String]>([])

        func receive(subscription: any Subscription) {
            self.subscription.withLock { $0 = subscription }
        }

        func receive(_ input: RepositoryPage) -> Subscribers.Demand {
            events.withLock { $0.append("page of \(input.totalCount)") }
            return .unlimited
        }

        func receive(completion: Subscribers.Completion<GitHubError>) {
            events.withLock { events in
                switch completion {
                case .finished: events.append("finished")
                case .failure(let error): events.append("\(error.code)")
                }
            }
        }

        func request(_ demand: Subscribers.Demand) {
            subscription.withLock { $0 }?.request(demand)
        }

        func cancel() {
            subscription.withLock { $0 }?.cancel()
        }

        func waitForEnd() async -> Bool {
            await eventually { events.withLock { $0.last.map { $0 != "page of 99" } ?? false } }
        }
    }

    @Test func `nothing is sent without demand, and any demand sends one request`() async throws {
        let page = page
        try await GitHubStub.run { _, _ in
            .json(200, page)
        } test: { stub in
            let recorder = Recorder()
            try stub.client().searchRepositories(query).subscribe(recorder)
            #expect(stub.requests.isEmpty)
            recorder.request(.max(1))
            recorder.request(.unlimited)
            #expect(await recorder.waitForEnd())
            #expect(recorder.events.withLock { $0 } == ["page of 99", "finished"])
            #expect(stub.requests.count == 1)
        }
    }

    @Test func `each subscriber sends its own request`() async throws {
        let page = page
        try await GitHubStub.run { _, _ in
            .json(200, page)
        } test: { stub in
            let search = try stub.client().searchRepositories(query)
            let recorders = [Recorder(), Recorder()]
            for recorder in recorders {
                search.subscribe(recorder)
                recorder.request(.unlimited)
                #expect(await recorder.waitForEnd())
                #expect(recorder.events.withLock { $0 } == ["page of 99", "finished"])
            }
            #expect(stub.requests.count == 2)
        }
    }

    @Test func `a subscription cancelled before it has demand sends nothing`() async throws {
        let page = page
        try await GitHubStub.run { _, _ in
            .json(200, page)
        } test: { stub in
            let client = try stub.client()
            let recorder = Recorder()
            client.searchRepositories(query).subscribe(recorder)
            recorder.cancel()
            recorder.request(.unlimited)
            // A request of the cancelled search would reach the stub before this one.
            _ = try await client.page(query)
            #expect(stub.requests.count == 1)
            #expect(recorder.events.withLock { $0 } == [])
        }
    }

    @Test func `a search that the rate limit forbids fails immediately and once`() async throws {
        let page = page
        try await GitHubStub.run { _, _ in
            .json(200, page, ["x-ratelimit-remaining": "0", "x-ratelimit-reset": "1700000060"])
        } test: { stub in
            let client = try stub.client()
            _ = try await client.page(query)
            let recorder = Recorder()
            client.searchRepositories(query).subscribe(recorder)
            #expect(recorder.events.withLock { $0 } == [])
            recorder.request(.max(1))
            #expect(recorder.events.withLock { $0 } == ["rateLimited"])
            recorder.request(.max(1))
            recorder.cancel()
            #expect(recorder.events.withLock { $0 } == ["rateLimited"])
        }
    }

    @Test func `a finished or cancelled search releases its subscriber`() async throws {
        let page = page
        try await GitHubStub.run { _, number in
            number == 0 ? .json(200, page) : .silence
        } test: { stub in
            let client = try stub.client()
            weak var finished: Recorder?
            weak var cancelled: Recorder?
            do {
                let first = Recorder()
                finished = first
                client.searchRepositories(query).subscribe(first)
                first.request(.unlimited)
                #expect(await first.waitForEnd())
                first.subscription.withLock { $0 = nil }
                let second = Recorder()
                cancelled = second
                client.searchRepositories(query).subscribe(second)
                second.request(.unlimited)
                second.cancel()
                second.subscription.withLock { $0 = nil }
            }
            #expect(await eventually { finished == nil && cancelled == nil })
        }
    }
}
