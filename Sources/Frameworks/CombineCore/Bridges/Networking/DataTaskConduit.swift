import Foundation
import FoundationNetworking
import Locking

/// The result with which a URL session completes a task.
private typealias DataTaskResult = (data: Data?, response: URLResponse?, error: (any Error)?)

/// The conduit between a data task and a subscriber. The session retains it while the task runs.
final class DataTaskConduit<Downstream: Subscriber>: GatedConduit
where Downstream.Input == URLSession.DataTaskPublisher.Output, Downstream.Failure == URLError {
    private enum State {
        /// No value has been requested.
        case idle(URLRequest, URLSession)
        case running(URLSessionDataTask)
        /// The task has completed or was cancelled.
        case over
    }

    private let lock = WordLock()
    // Guarded by `lock`, which makes every access exclusive.
    @exclusivity(unchecked) private var state: State
    // Used only inside the gate, which makes every access exclusive, and released after the end.
    @exclusivity(unchecked) private var downstream: Downstream?

    /// The publisher, for the mirror; nil after the end.
    // Guarded by `lock`.
    @exclusivity(unchecked) private var parent: URLSession.DataTaskPublisher?

    init(_ parent: URLSession.DataTaskPublisher, _ downstream: Downstream) {
        self.downstream = downstream
        self.parent = parent
        state = .idle(parent.request, parent.session)
        super.init { unsafeDowncast($0, to: DataTaskConduit<Downstream>.self).handle($1) }
    }

    override var description: String { "DataTaskPublisher" }

    override var customMirror: Mirror {
        let (task, parent) = lock.withLock { () -> (URLSessionDataTask?, URLSession.DataTaskPublisher?) in
            if case .running(let task) = state { return (task, self.parent) }
            return (nil, self.parent)
        }
        let demand = Subscribers.Demand(outstanding: demand.current)
        return mirror([
            ("task", task as Any), ("downstream", downstream as Any), ("parent", parent as Any), ("demand", demand),
        ])
    }

    func handle(_ command: Command) {
        switch command {
        case .request(let more):
            more.requirePositive()
            // Only the request that raises the demand from zero sends the HTTP request; there is one response, however
            // many are requested.
            if demand.add(more) == 0 { begin() }
        case .cancel:
            guard demand.end() else { return }
            if case .running(let task) = exchange(.over) { task.cancel() }
            releaseReferences()
        case .drainPending:
            if demand.isEnded { downstream = nil }
        }
    }

    private func begin() {
        guard case .idle(let request, let session) = lock.withLock({ state }) else { return }
        // The completion handler is `@Sendable` and runs on the session's queue. The conduit may be used there, since
        // lock and gate guard its state.
        let finish = UnsafeTransfer({ self.finish(($0, $1, $2)) })
        let task = session.dataTask(with: request) { finish.value($0, $1, $2) }
        // The conduit may have been cancelled while the task was created; then the task is never resumed.
        let isWanted = lock.withLock {
            guard case .idle = state else { return false }
            state = .running(task)
            return true
        }
        if isWanted { task.resume() }
    }

    private func finish(_ result: DataTaskResult) {
        let outermost = enter()
        _ = exchange(.over)
        if result.error == nil, let response = result.response {
            if demand.take() { _ = downstream?.receive((result.data ?? Data(), response)) }
            end(with: .finished)
        } else {
            end(with: .failure(result.error as? URLError ?? URLError(.unknown)))
        }
        exit(outermost)
    }

    private func end(with completion: Subscribers.Completion<URLError>) {
        guard demand.end() else { return }
        downstream?.receive(completion: completion)
        releaseReferences()
    }

    private func exchange(_ next: State) -> State {
        lock.withLock {
            let former = state
            state = next
            if case .over = next { parent = nil }
            return former
        }
    }
}
