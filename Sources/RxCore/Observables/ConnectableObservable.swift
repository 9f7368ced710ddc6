import CombineCore
import Locking

/// A stream that several observers share and that begins when it is connected.
public protocol ConnectableObservableType<Element>: ObservableType {
    /// Subscribes to what is shared; disposing of the result ends that subscription.
    func connect() -> any Disposable
}

/// A stream that several observers share and that begins when it is connected.
public class ConnectableObservable<Element>: Observable<Element>, ConnectableObservableType {
    private let shared: SharedSource<Element>

    init(_ shared: SharedSource<Element>) {
        self.shared = shared
        super.init(Served(serve: { observer, group in group.add(shared.subscribe(observer)) }).eraseToAnyPublisher())
    }

    /// Subscribes to what is shared, unless that has been done; disposing of the result ends that subscription, and the
    /// next `connect` begins anew.
    public func connect() -> any Disposable {
        shared.connect()
    }

    /// A stream that connects when the first observer comes and disconnects when the last has gone.
    public func refCount() -> Observable<Element> {
        let counter = ConnectionCounter(subscribe: shared.subscribe, connect: shared.connect)
        return Observable(serving: { observer, group in group.add(counter.subscribe(observer)) })
    }
}

extension ConnectableObservableType {
    /// A stream that connects when the first observer comes and disconnects when the last has gone.
    public func refCount() -> Observable<Element> {
        let counter = ConnectionCounter<Element>(subscribe: { subscribe($0) }, connect: connect)
        return Observable(serving: { observer, group in group.add(counter.subscribe(observer)) })
    }
}
