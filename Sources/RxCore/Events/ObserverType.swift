/// Somebody who is told what a stream says.
public protocol ObserverType<Element> {
    /// What it is told.
    associatedtype Element

    /// Tells it the event. After an error or a completion it is told nothing more.
    func on(_ event: Event<Element>)
}

extension ObserverType {
    /// Tells it the next element.
    @inlinable
    public func onNext(_ element: Element) {
        on(.next(element))
    }

    /// Tells it that the stream has ended well.
    @inlinable
    public func onCompleted() {
        on(.completed)
    }

    /// Tells it that the stream has failed.
    @inlinable
    public func onError(_ error: any Error) {
        on(.error(error))
    }
}
