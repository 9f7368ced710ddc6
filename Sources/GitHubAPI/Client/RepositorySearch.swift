import CombineCore
import Locking

/// The publisher of one page: a request for each subscriber.
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
    /// One subscriber's request.
    ///
    /// Sendable because its state is behind a lock, and the subscriber is called by whoever takes it out of the state,
    /// so by one thread, once; a subscriber that is not `Sendable` itself is confined by `receive(on:)` as with every
    /// publisher that answers from elsewhere.
    private final class Inner<S: Subscriber>: Subscription, SearchReceiver, CustomStringConvertible,
        @unchecked Sendable
    where S.Input == RepositoryPage, S.Failure == GitHubError {
        private enum State {
            case waitingForDemand(GitHubClient, RepositoryQuery, S)
            /// The request is being sent; it may be answered before its cancellation is known.
            case starting(S)
            case underWay(S, cancel: @Sendable () -> Void)
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
            // As a value of the protocol, so that the closure does not capture the subscriber's type.
            let receiver: any SearchReceiver = self
            let cancel = client.search(query) { result in receiver.finish(result) }
            let isCancelled = state.withLock { state in
                guard case .starting(let subscriber) = state else { return true }
                state = .underWay(subscriber, cancel: cancel)
                return false
            }
            if isCancelled { cancel() }
        }

        func cancel() {
            if case .underWay(_, let cancel) = end() { cancel() }
        }

        func finish(_ result: Result<RepositoryPage, GitHubError>) {
            let subscriber: S? =
                switch end() {
                case .starting(let subscriber), .underWay(let subscriber, _): subscriber
                case .waitingForDemand, .ended: nil
                }
            switch result {
            case .success(let page):
                _ = subscriber?.receive(page)
                subscriber?.receive(completion: .finished)
            case .failure(let error): subscriber?.receive(completion: .failure(error))
            }
        }

        /// Ends whatever is going on. What was held is returned, so that it is released outside of the lock.
        private func end() -> State {
            state.withLock { state in
                defer { state = .ended }
                return state
            }
        }
    }
}

/// Who is told the outcome of a search.
private protocol SearchReceiver: AnyObject, Sendable {
    func finish(_ result: Result<RepositoryPage, GitHubError>)
}
