import Foundation
import FoundationNetworking
import Locking

/// What a session says about a task that has ended.
private typealias DataTaskResult = (data: Data?, response: URLResponse?, error: (any Error)?)

/// The link between a data task and a subscriber; the session keeps it while the task runs.
final class DataTaskConduit<Downstream: Subscriber>: GatedConduit
where Downstream.Input == URLSession.DataTaskPublisher.Output, Downstream.Failure == URLError {
    private enum State {
        /// Nobody has asked.
        case idle(URLRequest, URLSession)
        case running(URLSessionDataTask)
        /// Answered, failed or cancelled.
        case over
    }

    private let lock = WordLock()
    /// Guarded by `lock`.
    @exclusivity(unchecked) private var state: State
    /// Used inside the gate, and let go of after the end.
    @exclusivity(unchecked) private var downstream: Downstream?

    /// Guarded by `lock`; nil after the end.
    @exclusivity(unchecked) private var parent: URLSession.DataTaskPublisher?

    init(_ parent: URLSession.DataTaskPublisher, _ downstream: Downstream) {
        self.downstream = downstream
        self.parent = parent
        state = .idle(parent.request, parent.session)
        super.init { unsafeDowncast($0, to: DataTaskConduit<Downstream>.self).handle($1) }
    }

    deinit {
        stayOutOfClients()
    }

    override var description: String { "DataTaskPublisher" }

    override var customMirror: Mirror {
        let (task, parent) = lock.withLock { () -> (URLSessionDataTask?, URLSession.DataTaskPublisher?) in
            if case .running(let task) = state { return (task, self.parent) }
            return (nil, self.parent)
        }
        let children: KeyValuePairs<String, Any> = [
            "task": task as Any, "downstream": downstream as Any, "parent": parent as Any,
            "demand": Subscribers.Demand(outstanding: demand.current),
        ]
        return Mirror(self, children: children)
    }

    func handle(_ command: Command) {
        switch command {
        case .request(let more):
            more.requirePositive()
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
        let conduit = UnsafeTransfer(self)
        let task = session.dataTask(with: request) { conduit.value.finish(($0, $1, $2)) }
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
