/// A source whose type states the number of its elements.
///
/// ``Single`` has one, ``Maybe`` at most one, and ``Completable`` none. Each can fail.
public struct PrimitiveSequence<Trait, Element> {
    let source: Observable<Element>

    /// Creates a sequence from an observable that must satisfy the trait. This is not checked.
    init(raw source: Observable<Element>) {
        self.source = source
    }
}

extension PrimitiveSequence: ObservableConvertibleType {
    /// Returns the source as a plain observable.
    public func asObservable() -> Observable<Element> {
        source
    }
}

/// The protocol that defines the operators of all traits.
public protocol PrimitiveSequenceType {
    /// The trait.
    associatedtype Trait
    /// The type of the element.
    associatedtype Element

    /// The sequence itself.
    var primitiveSequence: PrimitiveSequence<Trait, Element> { get }
}

extension PrimitiveSequence: PrimitiveSequenceType {
    /// Returns the observable itself.
    public var primitiveSequence: PrimitiveSequence<Trait, Element> { self }
}

extension PrimitiveSequence {
    /// Returns a sequence that calls the closure for each observer and subscribes it to the result. It fails if the
    /// closure throws.
    public static func deferred(_ observableFactory: @escaping () throws -> PrimitiveSequence<Trait, Element>)
        -> PrimitiveSequence<Trait, Element>
    {
        PrimitiveSequence(raw: .deferred { try observableFactory().source })
    }

    /// Returns a sequence that delivers its event later by `dueTime`. An error is delivered immediately.
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.delay(dueTime, scheduler: scheduler))
    }

    /// Returns a sequence that subscribes to this one after `dueTime`.
    public func delaySubscription(_ dueTime: RxTimeInterval, scheduler: any SchedulerType)
        -> PrimitiveSequence<Trait, Element>
    {
        PrimitiveSequence(raw: source.delaySubscription(dueTime, scheduler: scheduler))
    }

    /// Returns a sequence that delivers the events on the scheduler.
    public func observe(on scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.observe(on: scheduler))
    }

    /// Returns a sequence that subscribes on the scheduler.
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.subscribe(on: scheduler))
    }

    /// Returns a sequence that continues with the one returned by the closure if this one fails.
    public func `catch`(_ handler: @escaping (any Error) throws -> PrimitiveSequence<Trait, Element>)
        -> PrimitiveSequence<Trait, Element>
    {
        PrimitiveSequence(raw: source.catch { try handler($0).source })
    }

    /// Returns a sequence that subscribes again after each failure, without a limit.
    public func retry() -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry())
    }

    /// Returns a sequence that subscribes again after a failure, up to `maxAttemptCount` subscriptions in all.
    public func retry(_ maxAttemptCount: Int) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry(maxAttemptCount))
    }

    /// Returns a sequence that subscribes again after a failure when a trigger emits; see
    /// `ObservableType.retry(when:)`.
    public func retry<Trigger: ObservableType>(when notificationHandler: @escaping (Observable<any Error>) -> Trigger)
        -> PrimitiveSequence<Trait, Element>
    {
        PrimitiveSequence(raw: source.retry(when: notificationHandler))
    }

    /// Subscribes again after failures of one type; see `retry(when:)`. Any other failure terminates the result.
    public func retry<Trigger: ObservableType, Failure: Error>(
        when notificationHandler: @escaping (Observable<Failure>) -> Trigger
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry(when: notificationHandler))
    }

    /// Returns a sequence that creates a resource for each observer and disposes of it when the subscription ends.
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping () throws -> Resource,
        primitiveSequenceFactory: @escaping (Resource) throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: .using(resourceFactory, observableFactory: { try primitiveSequenceFactory($0).source }))
    }

    /// Returns a sequence that switches to `other` if this one does not terminate within `dueTime`.
    public func timeout(
        _ dueTime: RxTimeInterval, other: PrimitiveSequence<Trait, Element>, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.timeout(dueTime, other: other.source, scheduler: scheduler))
    }

    /// Returns a sequence that fails with ``RxError/timeout`` if this one does not terminate within `dueTime`.
    public func timeout(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.timeout(dueTime, scheduler: scheduler))
    }

    /// Returns a sequence that prints every event, prefixed with the identifier.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #file, line: UInt = #line,
        function: String = #function
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: source.debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }
}

extension PrimitiveSequenceType where Element: RxAbstractInteger {
    /// Returns a sequence that emits 0 after `dueTime` and completes.
    public static func timer(_ dueTime: RxTimeInterval, scheduler: any SchedulerType)
        -> PrimitiveSequence<Trait, Element>
    {
        PrimitiveSequence(raw: Observable<Element>.timer(dueTime, scheduler: scheduler))
    }
}
