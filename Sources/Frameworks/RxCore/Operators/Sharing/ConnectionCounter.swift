import Locking
import StateCapture

/// Connects a shared source for the first observer and disconnects it when the last observer unsubscribes.
final class ConnectionCounter<Element> {
    private let subscribeToSource: (AnyObserver<Element>) -> any Disposable
    private let connectSource: () -> any Disposable
    private let lock = WordLock()
    /// Guarded by `lock`: the count of the current observers.
    private var current: Generation?

    private final class Generation {
        var count = 0
        var connection: (any Disposable)?
    }

    init(
        subscribe: @escaping (AnyObserver<Element>) -> any Disposable, connect: @escaping () -> any Disposable
    ) {
        subscribeToSource = subscribe
        connectSource = connect
    }

    func subscribe(_ observer: AnyObserver<Element>) -> any Disposable {
        let generation = lock.withLock { () -> Generation in
            let generation = current ?? Generation()
            generation.count += 1
            current = generation
            return generation
        }
        let hasEnded = BooleanDisposable()
        // In a restored wiring, an observer that had left receives a completion at once. The source is still shared.
        let isRepeated = StateRegistry.isRestoring
        var isSubscribing = true
        let subscription = subscribeToSource(
            AnyObserver { [self] event in
                if event.isStopEvent {
                    hasEnded.dispose()
                    if !isRepeated || !isSubscribing { retire(generation) }
                }
                observer.on(event)
            })
        // Connected after the subscription, so that the first observer misses no element.
        isSubscribing = false
        if !hasEnded.isDisposed || isRepeated { connect(generation) }
        let removal = Disposables.create { [self] in
            // An observer that had ended must not disconnect the source before the others have subscribed again.
            guard let registry = StateRegistry.restoring else { return release(generation) }
            registry.afterWiring { [self] in release(generation) }
        }
        return Disposables.create(subscription, removal)
    }

    private func connect(_ generation: Generation) {
        let isFirst = lock.withLock { () -> Bool in
            guard current === generation, generation.connection == nil else { return false }
            // A placeholder, so that a second observer does not connect while the first one is connecting.
            generation.connection = Disposables.create()
            return true
        }
        guard isFirst else { return }
        let connection = connectSource()
        let isOver = lock.withLock { () -> Bool in
            if current === generation { generation.connection = connection }
            return current !== generation
        }
        // The source terminated, or all observers left, while it was being connected.
        if isOver { connection.dispose() }
    }

    /// Starts a new count for later observers because the source terminated.
    private func retire(_ generation: Generation) {
        lock.withLock {
            if current === generation { current = nil }
        }
    }

    private func release(_ generation: Generation) {
        let connection: (any Disposable)? = lock.withLock {
            generation.count -= 1
            guard generation.count == 0 else { return nil }
            if current === generation { current = nil }
            defer { generation.connection = nil }
            return generation.connection
        }
        connection?.dispose()
    }
}
