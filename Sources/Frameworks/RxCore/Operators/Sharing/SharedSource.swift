import CombineCore
import Locking
import StateCapture

/// The two sides of the subject that forwards the events of a shared source.
struct SharedSubject<Input, Element> {
    let observer: AnyObserver<Input>
    let stream: Observable<Element>

    init<Subject: SubjectType>(_ subject: Subject) where Subject.Observer.Element == Input, Subject.Element == Element {
        observer = AnyObserver(subject.asObserver())
        stream = subject.asObservable()
    }
}

/// A source that several observers share, and the subject that forwards its events to them.
final class SharedSource<Input, Element> {
    typealias Shared = SharedSubject<Input, Element>

    /// How long a subject is used.
    enum Lifetime {
        /// For one subscription to the source. The next subscription uses a new subject.
        case connection
        /// For all subscriptions to the source.
        case forever
    }

    private let source: AnyPublisher<Input, any Error>
    private let lifetime: Lifetime
    private let makeSubject: () -> Shared
    private let lock = WordLock()
    /// Guarded by `lock`, like the properties below.
    private var subject: Shared?
    private var connection: ShareConnection?
    private var history = ShareHistory()
    private var isRestored = false
    /// The number of connections that a restored wiring has begun.
    private var repeated = 0

    init(_ source: AnyPublisher<Input, any Error>, lifetime: Lifetime, makeSubject: @escaping () -> Shared) {
        self.source = source
        self.lifetime = lifetime
        self.makeSubject = makeSubject
        StateRegistry.current?.register(self)
    }

    func subscribe(_ observer: AnyObserver<Element>) -> any Disposable {
        let subject = currentSubject()
        let subscriber = ObserverSubscriber(observer)
        subject.stream.source.receive(subscriber: subscriber)
        return subscriber
    }

    /// Subscribes the subject to the source, unless it is already subscribed.
    func connect() -> any Disposable {
        let (connection, isNew) = lock.withLock { () -> (ShareConnection, Bool) in
            if let connection = self.connection { return (connection, false) }
            if StateRegistry.isRestoring, isRestored, repeated == history.wired { return (ShareConnection(), false) }
            let made = ShareConnection()
            self.connection = made
            return (made, true)
        }
        if isNew { begin(connection) }
        return Disposables.create { [self] in end(connection) }
    }

    private func begin(_ connection: ShareConnection) {
        let subject = currentSubject()
        if StateRegistry.isRestoring {
            repeated += 1
            if history.hasEndedLater { return repeatEnded(connection, subject) }
        } else if StateRegistry.current != nil {
            lock.withLock { history.wired += 1 }
        }
        let subscriber = ObserverSubscriber(
            AnyObserver<Input> { [self] event in
                // Forgotten before the terminal event is forwarded, so that an observer that subscribes again during
                // that event starts a new connection.
                if event.isStopEvent {
                    if StateRegistry.current == nil { lock.withLock { history.hasEndedLater = true } }
                    forget(connection)
                }
                subject.observer.on(event)
            })
        // Set before the subscription, during which the connection may be disposed of.
        connection.upstream.setDisposable(subscriber)
        source.receive(subscriber: subscriber)
    }

    /// Repeats the subscription of a connection that ended after the wiring.
    ///
    /// The connection is kept until the machine is wired: in the first wiring, it served all observers.
    private func repeatEnded(_ connection: ShareConnection, _ subject: Shared) {
        let subscriber = ObserverSubscriber(AnyObserver<Input> { _ in })
        connection.upstream.setDisposable(subscriber)
        source.receive(subscriber: subscriber)
        subject.observer.onCompleted()
        StateRegistry.restoring?.afterWiring { [self] in end(connection) }
    }

    private func end(_ connection: ShareConnection) {
        forget(connection)
        connection.upstream.dispose()
    }

    private func forget(_ connection: ShareConnection) {
        let former: Shared? = lock.withLock {
            guard self.connection === connection else { return nil }
            self.connection = nil
            guard lifetime == .connection else { return nil }
            defer { subject = nil }
            return subject
        }
        // Released after unlocking, because the deinitializers of replayed elements are foreign code.
        withExtendedLifetime(former) {}
    }

    private func currentSubject() -> Shared {
        if let subject = lock.withLock({ subject }) { return subject }
        // Made outside of the lock, because the closure is foreign code.
        let made = makeSubject()
        return lock.withLock {
            // Another thread may have made one meanwhile.
            let current = subject ?? made
            subject = current
            return current
        }
    }
}

extension SharedSource: StatefulPart {
    static var partName: StaticString { "share" }

    var partState: ShareHistory? { lock.withLock { history } }

    func restore(_ state: ShareHistory?) {
        isRestored = true
        // Without a state, all observers had left. What they had shared has ended.
        history = state ?? ShareHistory(wired: 1, hasEndedLater: true)
    }
}

/// The captured state of a shared source, which a restored wiring needs to make the same connections as the first one.
struct ShareHistory: Codable {
    /// The number of connections that were begun during the wiring of the machine.
    var wired = 0
    /// Whether a connection has ended after the wiring.
    var hasEndedLater = false
}

final class ShareConnection {
    let upstream = SingleAssignmentDisposable()
}
