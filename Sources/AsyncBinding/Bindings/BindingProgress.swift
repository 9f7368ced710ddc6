import Locking

/// Where a binding stands: shared by the binding and its task, which does not keep the binding alive.
final class BindingProgress: Sendable {
    private enum State {
        case live(owned: [any Disposable], waiting: [CheckedContinuation<ActiveBinding.End, Never>])
        case over(ActiveBinding.End)
    }

    private let state = Lock(State.live(owned: [], waiting: []))

    /// Why the binding is over, if it is.
    var current: ActiveBinding.End? {
        state.withLock { if case .over(let end) = $0 { end } else { nil } }
    }

    var isLive: Bool { current == nil }

    /// Disposes of what the binding needs when it is over.
    func own(_ disposable: any Disposable) {
        let isLate = state.withLock { state in
            guard case .live(var owned, let waiting) = state else { return true }
            owned.append(disposable)
            state = .live(owned: owned, waiting: waiting)
            return false
        }
        if isLate { disposable.dispose() }
    }

    /// Ends the binding when the lifetime does, and leaves no trace in it when the binding is over before.
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

    /// Assigns the elements of the sequence until it ends, or the binding does, or there is nothing to assign to.
    func follow<S: AsyncSequence>(
        _ sequence: S, isolation: isolated any Actor, _ assign: (S.Element) -> Bool
    ) async {
        do {
            for try await element in sequence {
                guard isLive else { return }
                guard assign(element) else { return finish(.targetGone) }
            }
            finish(.completed)
        } catch {
            finish(.failed(error))
        }
    }

    /// Like ``follow(_:isolation:_:)``, without an actor to stay on while it waits.
    func follow<S: AsyncSequence, Value: Sendable>(
        _ sequence: S, _ target: ActorBindingTarget<Value>, _ convert: (S.Element) -> Value?
    ) async where S.Element: Sendable {
        do {
            for try await element in sequence {
                guard isLive else { return }
                guard let value = convert(element) else { continue }
                guard await target.assign(value, { self.isLive }) else { return finish(.targetGone) }
            }
            finish(.completed)
        } catch {
            finish(.failed(error))
        }
    }
}
