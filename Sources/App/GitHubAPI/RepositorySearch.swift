import CombineCore
import HTTPTransfer
import Locking

/// A publisher of one page of results that sends a request for each subscriber, on the first demand.
struct RepositorySearch: Publisher {
    typealias Output = RepositoryPage
    typealias Failure = GitHubError

    let client: GitHubClient
    let query: RepositoryQuery

    func receive<S: Subscriber>(subscriber: S) where S.Input == RepositoryPage, S.Failure == GitHubError {
        subscriber.receive(subscription: SearchSubscription(self, AnySubscriber(subscriber)))
    }
}

/// The request of one subscriber.
///
/// Sendable because a lock protects its state, and only the thread that takes the subscriber out of the state calls the subscriber. As
/// with any publisher that delivers on another thread, `receive(on:)` confines a subscriber that is not `Sendable`.
private final class SearchSubscription: Subscription, CustomStringConvertible, @unchecked Sendable {
    /// The search until it begins, the subscriber until the end, and the transfer in flight.
    private typealias State = (
        search: RepositorySearch?, subscriber: AnySubscriber<RepositoryPage, GitHubError>?, transfer: Transfer?
    )
    private let state: Lock<State>

    let description = "RepositorySearch"

    init(_ search: RepositorySearch, _ subscriber: AnySubscriber<RepositoryPage, GitHubError>) {
        state = Lock((search, subscriber, nil))
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none, let search = state.withLock({ $0.search.take() }) else { return }
        let transfer = search.client.search(search.query) { self.finish($0) }
        // The request can finish, or be cancelled, before `search` has returned.
        let hasEnded = state.withLock { state in
            if state.subscriber != nil { state.transfer = transfer }
            return state.subscriber == nil
        }
        if hasEnded { transfer?.cancel() }
    }

    func cancel() {
        end().transfer?.cancel()
    }

    private func finish(_ result: Result<RepositoryPage, GitHubError>) {
        guard let subscriber = end().subscriber else { return }
        switch result {
        case .success(let page):
            _ = subscriber.receive(page)
            subscriber.receive(completion: .finished)
        case .failure(let error): subscriber.receive(completion: .failure(error))
        }
    }

    /// Ends the request. Returns its state, so that the subscriber is released outside the lock: its `deinit` can call back.
    private func end() -> State {
        state.withLock { state in
            defer { state = (nil, nil, nil) }
            return state
        }
    }
}
