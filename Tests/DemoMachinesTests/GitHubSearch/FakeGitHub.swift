import CombineCore
import Foundation

@testable import GitHubAPI

/// A fake of GitHub that records queries and responds when the test calls it.
final class FakeGitHub {
    private(set) var queries: [RepositoryQuery] = []
    /// The numbers of the cancelled requests.
    private(set) var cancelled: [Int] = []
    private var answers: [PassthroughSubject<RepositoryPage, GitHubError>] = []

    func search(_ query: RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError> {
        let number = queries.count
        queries.append(query)
        let answer = PassthroughSubject<RepositoryPage, GitHubError>()
        answers.append(answer)
        return Request(answer: answer) { [weak self] in self?.cancelled.append(number) }.eraseToAnyPublisher()
    }

    /// Responds to a request with a page of repositories with the given ids.
    func answer(_ number: Int, _ ids: ClosedRange<Int>, total: Int = 100, hasMore: Bool = true) {
        let page = queries[number].page
        answers[number].send(
            RepositoryPage(
                repositories: ids.map(Repository.numbered), totalCount: total, number: page,
                nextPage: hasMore ? page + 1 : nil))
        answers[number].send(completion: .finished)
    }

    func fail(_ number: Int, _ error: GitHubError) {
        answers[number].send(completion: .failure(error))
    }

    /// Returns two pages of two repositories for every text except one, which fails.
    static func answer(to query: RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError> {
        guard query.text != "fail" else {
            return Fail(error: GitHubError(.timedOut, "GitHub took too long.")).eraseToAnyPublisher()
        }
        let first = 2 * query.page - 1
        let page = RepositoryPage(
            repositories: [.numbered(first), .numbered(first + 1)], totalCount: 4, number: query.page,
            nextPage: query.page == 1 ? 2 : nil)
        return Just(page).setFailureType(to: GitHubError.self).eraseToAnyPublisher()
    }
}

/// A publisher that reports the cancellation of its subscription.
private struct Request: Publisher {
    typealias Output = RepositoryPage
    typealias Failure = GitHubError

    let answer: PassthroughSubject<RepositoryPage, GitHubError>
    let cancelled: () -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == RepositoryPage, S.Failure == GitHubError {
        answer.receive(subscriber: CancellationReporter(subscriber: subscriber, cancelled: cancelled))
    }
}

private final class CancellationReporter<S: Subscriber>: Subscriber, Subscription {
    typealias Input = S.Input
    typealias Failure = S.Failure

    private let subscriber: S
    private let cancelled: () -> Void
    private var upstream: (any Subscription)?

    init(subscriber: S, cancelled: @escaping () -> Void) {
        self.subscriber = subscriber
        self.cancelled = cancelled
    }

    func receive(subscription: any Subscription) {
        upstream = subscription
        subscriber.receive(subscription: self)
    }

    func receive(_ input: S.Input) -> Subscribers.Demand { subscriber.receive(input) }

    func receive(completion: Subscribers.Completion<S.Failure>) {
        upstream = nil
        subscriber.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

    func cancel() {
        guard let upstream else { return }
        self.upstream = nil
        upstream.cancel()
        cancelled()
    }
}

extension Repository {
    static func numbered(_ id: Int) -> Repository {
        Repository(
            id: id, fullName: "owner/\(id)", description: nil, stargazersCount: id, language: nil, owner: nil,
            htmlUrl: URL(filePath: "/\(id)"), updatedAt: Date(timeIntervalSince1970: 0))
    }
}
