import Locking

/// The state of a binding, shared by the binding and its task, so that the task does not retain the binding.
final class BindingProgress: Sendable {
    private enum State {
        case live(owned: [any Disposable], waiting: [CheckedContinuation<ActiveBinding.End, Never>])
        case over(ActiveBinding.End)
    }

    private let state = Lock(State.live(owned: [], waiting: []))

    /// The reason why the binding ended, or nil while it is active.
    var current: ActiveBinding.End? {
        state.withLock { if case .over(let end) = $0 { end } else { nil } }
    }

    var isLive: Bool { current == nil }

    /// Adds a disposable to dispose of when the binding ends.
    func own(_ disposable: any Disposable) {
        let isLate = state.withLock { state in
            guard case .live(var owned, let waiting) = state else { return true }
            owned.append(disposable)
            state = .live(owned: owned, waiting: waiting)
            return false
        }
        if isLate { disposable.dispose() }
    }

    /// Ends the binding when the lifetime ends. If the binding ends first, its observer is removed from the lifetime.
    func end(with lifetime: Lifetime) {
        let registration = lifetime.observeEnded { [weak self] in self?.finish(.targetGone) }
        if let registration { own(registration) }
    }

    func finish(_ end: ActiveBinding.End) {
        let (owned, waiting) = state.withLock { state in
            guard case .live(let owned, let waiting) = state else {
                return ([any Disposable](), [CheckedContinuation<ActiveBinding.End, Never>]())
            }
            state = .over(end)
            return (owned, waiting)
        }
        // After unlocking: disposing of the task or the subscription runs foreign code.
        for disposable in owned { disposable.dispose() }
        for continuation in waiting { continuation.resume(returning: end) }
    }

    func end() async -> ActiveBinding.End {
        await withCheckedContinuation { continuation in
            let end: ActiveBinding.End? = state.withLock { state in
                switch state {
                case .live(let owned, let waiting):
                    state = .live(owned: owned, waiting: waiting + [continuation])
                    return nil
                case .over(let end): return end
                }
            }
            if let end { continuation.resume(returning: end) }
        }
    }

    /// Assigns the elements of the sequence until the sequence or the binding ends, or the target's object was
    /// deallocated.
    func follow<S: AsyncSequence>(
        _ sequence: S, isolation: isolated any Actor, _ assign: (S.Element) -> Bool
    ) async {
        do {
            for try await element in sequence {
                // The binding may have been disposed of while an element was awaited.
                guard isLive else { return }
                guard assign(element) else { return finish(.targetGone) }
            }
            finish(.completed)
        } catch {
            finish(.failed(error))
        }
    }

    /// Assigns the elements on the target's actor; see ``follow(_:isolation:_:)``. This method itself does not run on
    /// an actor.
    func follow<S: AsyncSequence, Value: Sendable>(
        _ sequence: S, _ target: ActorBindingTarget<Value>, _ convert: (S.Element) -> Value?
    ) async where S.Element: Sendable {
        do {
            for try await element in sequence {
                guard isLive else { return }
                guard let value = convert(element) else { continue }
                // Checked again on the actor, because the binding may be disposed of during the hop.
                guard await target.assign(value, { self.isLive }) else { return finish(.targetGone) }
            }
            finish(.completed)
        } catch {
            finish(.failed(error))
        }
    }
}
