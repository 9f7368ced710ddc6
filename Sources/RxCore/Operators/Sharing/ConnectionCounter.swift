/// Connects a shared source for the first observer and disconnects it when the last observer unsubscribes.
final class ConnectionCounter<Element> {
    private let subscribeToSource: (AnyObserver<Element>) -> any Disposable
    private let connectSource: () -> any Disposable
    private let serializer = Serializer()
    /// Used inside the serializer: the count of the current observers.
    private var current: Round?

    private final class Round {
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
        let round = serializer.run { () -> Round in
            let round = current ?? Round()
            round.count += 1
            current = round
            return round
        }
        let hasEnded = BooleanDisposable()
        let subscription = subscribeToSource(
            AnyObserver { [self] event in
                if event.isStopEvent {
                    hasEnded.dispose()
                    retire(round)
                }
                observer.on(event)
            })
        if !hasEnded.isDisposed { connect(round) }
        let leaving = Disposables.create { [self] in leave(round) }
        return Disposables.create(subscription, leaving)
    }

    private func connect(_ round: Round) {
        let isFirst = serializer.run { () -> Bool in
            guard current === round, round.connection == nil else { return false }
            round.connection = Disposables.create()
            return true
        }
        guard isFirst else { return }
        let connection = connectSource()
        let isOver = serializer.run { () -> Bool in
            if current === round { round.connection = connection }
            return current !== round
        }
        if isOver { connection.dispose() }
    }

    /// Starts a new count for later observers because the source terminated.
    private func retire(_ round: Round) {
        serializer.run {
            if current === round { current = nil }
        }
    }

    private func leave(_ round: Round) {
        let connection: (any Disposable)? = serializer.run {
            round.count -= 1
            guard round.count == 0 else { return nil }
            if current === round { current = nil }
            defer { round.connection = nil }
            return round.connection
        }
        connection?.dispose()
    }
}
