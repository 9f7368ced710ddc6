public import MachineHost
public import RxCore

/// A topic is an observer, to which an observable is bound: `observable.bind(to: topic)`. Its values are `topic.asObservable()`.
extension Topic: ObserverType {
    /// The values.
    public typealias Element = Value

    /// Publishes an element, as `send(_:)` does. Ignores the end of the observable.
    public func on(_ event: Event<Value>) {
        if case .next(let value) = event { send(value) }
    }
}
