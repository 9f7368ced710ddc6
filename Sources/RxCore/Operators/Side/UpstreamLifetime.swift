import Locking

/// The subscription of `do` to its upstream, followed by `onDispose`.
///
/// In RxSwift's order: after the upstream's own disposal, after `onSubscribed`, and, where the stream ends by itself,
/// after the closures that run behind its last event.
final class UpstreamLifetime: Disposable {
    private enum Phase {
        /// The upstream is being subscribed to; whether the subscription was disposed of meanwhile.
        case subscribing(isDisposed: Bool)
        case open
        /// The last event is being handed on; whether the stream has ended meanwhile.
        case ending(isDisposed: Bool)
        case disposed
    }

    let subscription = CompositeDisposable()
    private unowned let group: CompositeDisposable
    private let lock = WordLock()
    /// These are guarded by `lock`.
    @exclusivity(unchecked) private var phase = Phase.subscribing(isDisposed: false)
    @exclusivity(unchecked) private var onDispose: (() -> Void)?

    /// The group is the one that this is part of.
    init(_ group: CompositeDisposable, _ onDispose: (() -> Void)?) {
        self.group = group
        self.onDispose = onDispose
    }

    /// The upstream has been subscribed to.
    func subscribed() {
        let isDue = lock.withLock {
            guard case .subscribing(let isDisposed) = phase else { return false }
            phase = .open
            return isDisposed
        }
        if isDue { dispose() }
    }

    /// Runs the closure. If it hands on the last event, a disposal that follows from this waits until it has returned.
    func hold(while isLast: Bool, _ body: () -> Void) {
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
                // A source that sends in a loop while it is subscribed to has to notice.
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
        action?()
    }
}
