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

    /// What `selector` makes of a stream that shares one subscription to this one, through a subject that is made for each
    /// observer.
    public func multicast<Subject: SubjectType, Result>(
        _ subjectSelector: @escaping () throws -> Subject,
        selector: @escaping (Observable<Subject.Element>) throws -> Observable<Result>
    ) -> Observable<Result> where Subject.Observer.Element == Element {
        let stream = asObservable()
        return Observable<Result>(serving: { observer, group in
            do {
                let subject = try subjectSelector()
                let input = subject.asObserver()
                // The result first, so that it misses nothing of a stream that sends while it is subscribed to.
                try selector(subject.asObservable()).listen(group, observer.on)
                stream.listen(group, input.on)
            } catch {
                observer.onError(error)
            }
        })
    }
}
