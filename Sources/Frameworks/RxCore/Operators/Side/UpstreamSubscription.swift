import Locking

/// The upstream subscription of `do`, followed by a call of `onDispose`.
///
/// As in RxSwift, `onDispose` runs after the upstream is disposed of, after `onSubscribed` and, if the stream
/// terminates, after the closures that follow the terminal event.
final class UpstreamSubscription: Disposable {
    private enum Phase {
        /// The upstream subscription is in progress. `isDisposed` is true if it was disposed of meanwhile.
        case subscribing(isDisposed: Bool)
        case open
        /// The terminal event is being delivered. `isDisposed` is true if the stream ended meanwhile.
        case ending(isDisposed: Bool)
        case disposed
    }

    let subscription = CompositeDisposable()
    // Unowned because the group retains this object.
    private unowned let group: CompositeDisposable
    private let lock = WordLock()
    /// Guarded by `lock`, like the properties below.
    @exclusivity(unchecked) private var phase = Phase.subscribing(isDisposed: false)
    @exclusivity(unchecked) private var onDispose: (() -> Void)?

    /// Creates a lifetime. `group` is the group that contains it.
    init(_ group: CompositeDisposable, _ onDispose: (() -> Void)?) {
        self.group = group
        self.onDispose = onDispose
    }

    func subscribed() {
        let isDue = lock.withLock {
            guard case .subscribing(let isDisposed) = phase else { return false }
            phase = .open
            return isDisposed
        }
        if isDue { dispose() }
    }

    /// Runs the closure. If it delivers the terminal event, a disposal that results from it is deferred until the
    /// closure returns.
    func deferDisposal(while isLast: Bool, _ body: () -> Void) {
        guard isLast else { return body() }
        lock.withLock { if case .open = phase { phase = .ending(isDisposed: false) } }
        body()
        let isDue = lock.withLock {
            guard case .ending(let isDisposed) = phase else { return false }
            phase = .open
            return isDisposed
        }
        if isDue { dispose() }
    }

    func dispose() {
        let isEnd = group.isFinished
        let (endsUpstream, action): (Bool, (() -> Void)?) = lock.withLock {
            switch phase {
            case .subscribing:
                phase = .subscribing(isDisposed: true)
                // Disposed of immediately, because a source that emits in a loop during its subscription checks for the
                // disposal.
                return (true, nil)
            case .ending where isEnd: phase = .ending(isDisposed: true)
            case .open, .ending:
                phase = .disposed
                defer { onDispose = nil }
                return (true, onDispose)
            case .disposed: break
            }
            return (false, nil)
        }
        if endsUpstream { subscription.dispose() }
        // The upstream's own `onDispose` has run by now, as in RxSwift.
        action?()
    }
}
