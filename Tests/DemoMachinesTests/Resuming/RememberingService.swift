import CombineCore
import GitHubAPI
import HTTPModel
import Locking
import MachineHost
import MachineTesting

/// A search service that outlives the processes that ask it: it recognizes a question that is asked again by its key, and
/// answers when it would have answered the first time.
final class RememberingService: Sendable {
    private let answers = Lock<[String: MonotonicTime]>([:])

    /// Returns two pages of two repositories after 50 ms, or a failure for one text.
    func search(_ query: RepositoryQuery, on scheduler: SessionScheduler) -> AnyPublisher<RepositoryPage, GitHubError> {
        let now = scheduler.loop.now
        let key = EffectCall.current?.idempotencyKey ?? ""
        let due = answers.withLock { answers in
            let due = answers[key] ?? now + .milliseconds(50)
            answers[key] = due
            return due
        }
        let delay = max(.zero, due - now)
        return RememberingService.answer(to: query)
            .delay(for: .nanoseconds(Int(delay / .nanoseconds(1))), scheduler: scheduler)
            .eraseToAnyPublisher()
    }

    private static func answer(to query: RepositoryQuery) -> AnyPublisher<RepositoryPage, GitHubError> {
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
