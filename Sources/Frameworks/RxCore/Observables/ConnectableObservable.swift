import CombineCore

/// An observable that several observers share and that subscribes to its source when it is connected.
public protocol ConnectableObservableType<Element>: ObservableType {
    /// Connects the observable to its source.
    ///
    /// - Returns: A disposable that ends the subscription to the source.
    func connect() -> any Disposable
}

/// An observable that several observers share and that subscribes to its source when it is connected.
public class ConnectableObservable<Element>: Observable<Element>, ConnectableObservableType {
    private let subscribeShared: (AnyObserver<Element>) -> any Disposable
    private let connectShared: () -> any Disposable

    init<Input>(_ shared: SharedSource<Input, Element>) {
        subscribeShared = shared.subscribe
        connectShared = shared.connect
        super.init(
            AnonymousPublisher(subscribe: { observer, group in group.add(shared.subscribe(observer)) })
                .eraseToAnyPublisher())
    }

    /// Subscribes to the source, unless the observable is already connected.
    ///
    /// - Returns: A disposable that ends the subscription to the source. The next call after that connects again.
    public func connect() -> any Disposable {
        connectShared()
    }

    /// Returns an observable that connects for its first observer and disconnects when its last observer unsubscribes.
    public func refCount() -> Observable<Element> {
        let counter = ConnectionCounter(subscribe: subscribeShared, connect: connectShared)
        return Observable(subscribe: { observer, group in group.add(counter.subscribe(observer)) })
    }
}

extension ConnectableObservableType {
    /// Returns an observable that connects for its first observer and disconnects when its last observer unsubscribes.
    public func refCount() -> Observable<Element> {
        let counter = ConnectionCounter<Element>(subscribe: { subscribe($0) }, connect: connect)
        return Observable(subscribe: { observer, group in group.add(counter.subscribe(observer)) })
    }
}
