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
        return FakeGitHub.answer(to: query)
            .delay(for: .nanoseconds(Int(delay / .nanoseconds(1))), scheduler: scheduler)
            .eraseToAnyPublisher()
    }
}
