/// How long the elements that a shared stream replays are kept.
public enum SubjectLifetimeScope {
    /// As long as anybody is subscribed: who comes after everybody has gone, or after the end, begins anew.
    case whileConnected
    /// As long as the shared stream exists: who comes later gets what was kept, and the end if there was one.
    case forever
}

extension ObservableType {
    /// Lets all observers share one subscription, which begins with the first of them and ends with the last; each is
    /// started off with the last `replay` elements.
    public func share(replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected) -> Observable<Element> {
        let lifetime: SharedSource<Element>.Lifetime = scope == .forever ? .forever : .connection
        let shared = SharedSource<Element>(source, lifetime: lifetime) {
            if replay == 0 { return PublishSubject() }
            return ReplaySubject.create(bufferSize: replay)
        }
        return ConnectableObservable(shared).refCount()
    }

    /// A shared stream that begins when it is connected and replays nothing.
    public func publish() -> ConnectableObservable<Element> {
        multicast { PublishSubject() }
    }

    /// A shared stream that begins when it is connected and replays the last elements.
    public func replay(_ bufferSize: Int) -> ConnectableObservable<Element> {
        multicast { ReplaySubject.create(bufferSize: bufferSize) }
    }

    /// A shared stream that begins when it is connected and replays everything.
    public func replayAll() -> ConnectableObservable<Element> {
        multicast { ReplaySubject.createUnbounded() }
    }

    /// A shared stream that observers get through the subject.
    public func multicast<Subject: Observable<Element> & ObserverType<Element>>(_ subject: Subject)
        -> ConnectableObservable<Element>
    {
        ConnectableObservable(SharedSource(source, lifetime: .forever) { subject })
    }

    /// A shared stream that observers get through a subject, another for each connection.
    public func multicast<Subject: Observable<Element> & ObserverType<Element>>(
        makeSubject: @escaping () -> Subject
    ) -> ConnectableObservable<Element> {
        ConnectableObservable(SharedSource(source, lifetime: .connection, makeSubject: makeSubject))
    }
}
