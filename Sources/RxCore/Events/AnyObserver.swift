/// An observer whose type is hidden.
@frozen
public struct AnyObserver<Element>: ObserverType {
    /// What an observer does with an event.
    public typealias EventHandler = (Event<Element>) -> Void

    @usableFromInline let handler: EventHandler

    /// An observer that does this with every event.
    @inlinable
    public init(eventHandler: @escaping EventHandler) {
        handler = eventHandler
    }

    /// Hides the type of `observer`, which is kept alive.
    @inlinable
    public init<Observer: ObserverType>(_ observer: Observer) where Observer.Element == Element {
        handler = observer.on
    }

    /// Tells the hidden observer.
    @inlinable
    public func on(_ event: Event<Element>) {
        handler(event)
    }

    /// The observer itself.
    @inlinable
    public func asObserver() -> AnyObserver<Element> {
        self
    }
}

extension ObserverType {
    /// Hides the type of this observer.
    @inlinable
    public func asObserver() -> AnyObserver<Element> {
        AnyObserver(self)
    }

    /// An observer of other elements that tells this one what `transform` makes of them; a failure if it throws.
    @inlinable
    public func mapObserver<Result>(_ transform: @escaping (Result) throws -> Element) -> AnyObserver<Result> {
        AnyObserver { event in on(event.map(transform)) }
    }
}
