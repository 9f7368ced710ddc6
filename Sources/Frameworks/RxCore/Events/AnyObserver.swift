/// A type-erased observer.
@frozen
public struct AnyObserver<Element>: ObserverType {
    /// A closure that handles one event.
    public typealias EventHandler = (Event<Element>) -> Void

    @usableFromInline let handler: EventHandler

    /// Creates an observer that passes every event to the closure.
    @inlinable
    public init(eventHandler: @escaping EventHandler) {
        handler = eventHandler
    }

    /// Creates an observer that retains `observer` and forwards every event to it.
    @inlinable
    public init<Observer: ObserverType>(_ observer: Observer) where Observer.Element == Element {
        // A bound method instead of a box: it retains the observer, and specialized clients can inline the call.
        handler = observer.on
    }

    /// Forwards the event.
    @inlinable
    public func on(_ event: Event<Element>) {
        handler(event)
    }

    /// Returns the observer itself.
    @inlinable
    public func asObserver() -> AnyObserver<Element> {
        self
    }
}

extension ObserverType {
    /// Returns a type-erased observer that forwards events to this one.
    @inlinable
    public func asObserver() -> AnyObserver<Element> {
        AnyObserver(self)
    }

    /// Returns an observer that transforms each element and forwards the result to this observer. If `transform`
    /// throws, this observer receives the error.
    @inlinable
    public func mapObserver<Result>(_ transform: @escaping (Result) throws -> Element) -> AnyObserver<Result> {
        AnyObserver { event in on(event.map(transform)) }
    }
}
