/// A receiver of an observable's events.
public protocol ObserverType<Element> {
    /// The type of the elements that the observer receives.
    associatedtype Element

    /// Notifies the observer of an event. No event follows an error or a completion.
    func on(_ event: Event<Element>)
}

extension ObserverType {
    /// Notifies the observer of the next element.
    @inlinable
    public func onNext(_ element: Element) {
        on(.next(element))
    }

    /// Notifies the observer that the observable completed.
    @inlinable
    public func onCompleted() {
        on(.completed)
    }

    /// Notifies the observer that the observable failed.
    @inlinable
    public func onError(_ error: any Error) {
        on(.error(error))
    }
}
