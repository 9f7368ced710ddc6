/// How long a shared observable keeps the elements that it replays.
public enum SubjectLifetimeScope {
    /// While it has observers. A later observer, or one that subscribes after the source terminated, starts a new
    /// subscription to the source.
    case whileConnected
    /// As long as the shared observable exists. A later observer receives the buffered elements and the terminal event,
    /// if there was one.
    case forever
}

extension ObservableType {
    /// Returns an observable that shares one subscription among all observers. The subscription begins with the first
    /// observer and ends with the last.
    ///
    /// - Parameters:
    ///   - replay: The number of latest elements that a new observer receives first.
    ///   - scope: How long these elements are kept.
    public func share(replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected) -> Observable<Element> {
        let shared = SharedSource<Element, Element>(source, lifetime: scope == .forever ? .forever : .connection) {
            replay == 0
                ? SharedSubject(PublishSubject()) : SharedSubject(ReplaySubject.create(bufferSize: replay))
        }
        return ConnectableObservable(shared).refCount()
    }

    /// Returns a shared observable that subscribes when it is connected and replays nothing.
    public func publish() -> ConnectableObservable<Element> {
        multicast { PublishSubject() }
    }

    /// Returns a shared observable that subscribes when it is connected and replays the last `bufferSize` elements.
    public func replay(_ bufferSize: Int) -> ConnectableObservable<Element> {
        multicast { ReplaySubject.create(bufferSize: bufferSize) }
    }

    /// Returns a shared observable that subscribes when it is connected and replays all elements.
    public func replayAll() -> ConnectableObservable<Element> {
        multicast { ReplaySubject.createUnbounded() }
    }

    /// Returns a shared observable whose observers subscribe through `subject`.
    public func multicast<Subject: SubjectType>(_ subject: Subject) -> ConnectableObservable<Subject.Element>
    where Subject.Observer.Element == Element {
        ConnectableObservable(SharedSource(source, lifetime: .forever) { SharedSubject(subject) })
    }

    /// Returns a shared observable whose observers subscribe through a subject that is created for each connection.
    public func multicast<Subject: SubjectType>(makeSubject: @escaping () -> Subject)
        -> ConnectableObservable<Subject.Element> where Subject.Observer.Element == Element
    {
        ConnectableObservable(SharedSource(source, lifetime: .connection) { SharedSubject(makeSubject()) })
    }

    /// Returns the observable that `selector` makes from a shared subscription to this one. The subject that shares it
    /// is created for each observer.
    public func multicast<Subject: SubjectType, Result>(
        _ subjectSelector: @escaping () throws -> Subject,
        selector: @escaping (Observable<Subject.Element>) throws -> Observable<Result>
    ) -> Observable<Result> where Subject.Observer.Element == Element {
        let stream = asObservable()
        return Observable<Result>(subscribe: { observer, group in
            do {
                let subject = try subjectSelector()
                let input = subject.asObserver()
                // The result is subscribed first because the source may emit during its own subscription.
                try selector(subject.asObservable()).listen(group, observer.on)
                stream.listen(group, input.on)
            } catch {
                observer.onError(error)
            }
        })
    }
}
