public import Locking

/// A subscriber that requests one value at a time for a waiting task.
// Sendable for values of any type: `lock` guards all of its state, and each value goes to one waiting task only.
@usableFromInline
final class PullSubscriber<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
    /// A pending call of ``next()``.
    @usableFromInline
    final class Waiter {
        @usableFromInline var outcome: Result<Input?, Failure> = .success(nil)
        // Unsafe, that is unchecked, continuations: every waiter is resumed exactly once, because it leaves the queue
        // before it is resumed.
        @usableFromInline var continuation: UnsafeContinuation<Void, Never>?

        @inlinable
        init() {}

        @inlinable
        func resume(with outcome: Result<Input?, Failure>) {
            self.outcome = outcome
            continuation?.resume()
        }
    }

    @usableFromInline
    enum State {
        case detached
        case attached(any Subscription)
        case over(failure: Failure?)
    }

    @usableFromInline let lock = WordLock()
    // Guarded by `lock`, which makes every access exclusive.
    @exclusivity(unchecked) @usableFromInline var state = State.detached
    @exclusivity(unchecked) @usableFromInline var waiters = Queue<Waiter>()

    @inlinable
    init() {}

    /// Returns the next value, or nil if the stream has ended. A failure is returned once.
    ///
    /// Cancelling the calling task cancels the stream.
    @inlinable
    // `nonisolated(nonsending)` keeps the wait on the caller's actor, so that an iterator, which is not sendable, need
    // not leave it.
    nonisolated(nonsending) func next() async -> Result<Input?, Failure> {
        await withTaskCancellationHandler {
            await nextRegardless()
        } onCancel: {
            cancel()
        }
    }

    /// Returns the next value like ``next()``, for a caller that must wait even if its task is cancelled.
    @inlinable
    nonisolated(nonsending) func nextRegardless() async -> Result<Input?, Failure> {
        let waiter = Waiter()
        await withUnsafeContinuation { continuation in
            waiter.continuation = continuation
            enqueue(waiter)
        }
        return waiter.outcome
    }

    @inlinable
    func enqueue(_ waiter: Waiter) {
        lock.lock()
        switch state {
        case .detached:
            waiters.append(waiter)
            lock.unlock()
        case .attached(let subscription):
            waiters.append(waiter)
            // Unlocked before the request: a synchronous publisher delivers from inside it.
            lock.unlock()
            subscription.request(.max(1))
        case .over(let failure):
            state = .over(failure: nil)
            lock.unlock()
            waiter.resume(with: failure.map(Result.failure) ?? .success(nil))
        }
    }

    @inlinable
    func receive(subscription: any Subscription) {
        lock.lock()
        guard case .detached = state else {
            lock.unlock()
            return subscription.cancel()
        }
        state = .attached(subscription)
        let count = waiters.count
        lock.unlock()
        if count > 0 { subscription.request(.max(count)) }
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
        lock.lock()
        guard case .attached = state else {
            lock.unlock()
            return .none
        }
        let waiter = waiters.removeFirst()
        lock.unlock()
        guard let waiter else {
            preconditionFailure("A publisher delivered a value that was not requested.")
        }
        waiter.resume(with: .success(input))
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished: _ = end(with: nil)
        case .failure(let error): _ = end(with: error)
        }
    }

    @inlinable
    func cancel() {
        end(with: nil)?.cancel()
    }

    /// Ends the stream and resumes all waiting tasks, the first one with the failure, if any.
    ///
    /// - Returns: The subscription, if it had not ended before.
    @inlinable
    func end(with failure: Failure?) -> (any Subscription)? {
        lock.lock()
        if case .over = state {
            lock.unlock()
            return nil
        }
        var subscription: (any Subscription)?
        if case .attached(let former) = state { subscription = former }
        var former = waiters
        waiters = Queue()
        // If no task was waiting, the next call of `next()` reports the failure.
        state = .over(failure: former.isEmpty ? failure : nil)
        lock.unlock()
        former.removeFirst()?.resume(with: failure.map(Result.failure) ?? .success(nil))
        while let waiter = former.removeFirst() { waiter.resume(with: .success(nil)) }
        return subscription
    }
}
