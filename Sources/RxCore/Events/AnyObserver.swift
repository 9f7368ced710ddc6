/// An observer whose type is hidden.
public struct AnyObserver<Element>: ObserverType {
    /// What an observer does with an event.
    public typealias EventHandler = (Event<Element>) -> Void

    private let handler: EventHandler

    /// An observer that does this with every event.
    public init(eventHandler: @escaping EventHandler) {
        handler = eventHandler
    }

    /// Hides the type of `observer`, which is kept alive.
    public init<Observer: ObserverType>(_ observer: Observer) where Observer.Element == Element {
        handler = observer.on
    }

    /// Tells the hidden observer.
    public func on(_ event: Event<Element>) {
        handler(event)
    }

    /// The observer itself.
    public func asObserver() -> AnyObserver<Element> {
        self
    }
}

extension ObserverType {
    /// Hides the type of this observer.
    public func asObserver() -> AnyObserver<Element> {
        AnyObserver(self)
    }

    /// An observer of other elements that tells this one what `transform` makes of them; a failure if it throws.
    public func mapObserver<Result>(_ transform: @escaping (Result) throws -> Element) -> AnyObserver<Result> {
        AnyObserver { event in on(event.map(transform)) }
    }
}
