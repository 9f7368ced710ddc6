import CombineCore
import Locking

/// A publisher of one page of results that sends a request for each subscriber.
struct RepositorySearch: Publisher {
    typealias Output = RepositoryPage
    typealias Failure = GitHubError

    let client: GitHubClient
    let query: RepositoryQuery

    func receive<S: Subscriber>(subscriber: S) where S.Input == RepositoryPage, S.Failure == GitHubError {
        subscriber.receive(subscription: Inner(client: client, query: query, subscriber: subscriber))
    }
}

extension RepositorySearch {
    /// The request of one subscriber.
    ///
    /// Sendable because a lock protects its state, and only one thread, the one that takes the subscriber out of the
    /// state, calls the subscriber. As with any publisher that delivers on another thread, `receive(on:)` confines a
    /// subscriber that is not `Sendable`.
    private final class Inner<S: Subscriber>: Subscription, SearchReceiver, CustomStringConvertible,
        @unchecked Sendable
    where S.Input == RepositoryPage, S.Failure == GitHubError {
        private enum State {
            case waitingForDemand(GitHubClient, RepositoryQuery, S)
            // The request is being sent. It can finish before `search` has returned the closure that cancels it.
            case starting(S)
            case inFlight(S, cancel: @Sendable () -> Void)
            case ended
        }

        private let state: Lock<State>

        init(client: GitHubClient, query: RepositoryQuery, subscriber: S) {
            state = Lock(.waitingForDemand(client, query, subscriber))
        }

        var description: String { "RepositorySearch" }

        func request(_ demand: Subscribers.Demand) {
            guard demand > .none else { return }
            let start = state.withLock { state -> (GitHubClient, RepositoryQuery)? in
                guard case .waitingForDemand(let client, let query, let subscriber) = state else { return nil }
                state = .starting(subscriber)
                return (client, query)
            }
            guard let (client, query) = start else { return }
            // Erased to a protocol: a `@Sendable` closure must not capture the metatype of `S`, which may not be
            // `Sendable`.
            let receiver: any SearchReceiver = self
            let cancel = client.search(query) { result in receiver.finish(result) }
            let isCancelled = state.withLock { state in
                guard case .starting(let subscriber) = state else { return true }
                state = .inFlight(subscriber, cancel: cancel)
                return false
            }
            if isCancelled { cancel() }
        }

        func cancel() {
            if case .inFlight(_, let cancel) = end() { cancel() }
        }

        func finish(_ result: Result<RepositoryPage, GitHubError>) {
            let subscriber: S? =
                switch end() {
                case .starting(let subscriber), .inFlight(let subscriber, _): subscriber
                case .waitingForDemand, .ended: nil
                }
            switch result {
            case .success(let page):
                _ = subscriber?.receive(page)
                subscriber?.receive(completion: .finished)
            case .failure(let error): subscriber?.receive(completion: .failure(error))
            }
        }

        /// Ends the request and returns the previous state.
        private func end() -> State {
            // The state is returned so that the subscriber is released outside the lock: its `deinit` can call back.
            state.withLock { state in
                defer { state = .ended }
                return state
            }
        }
    }
}

/// A receiver of the result of a search.
private protocol SearchReceiver: AnyObject, Sendable {
    func finish(_ result: Result<RepositoryPage, GitHubError>)
}
