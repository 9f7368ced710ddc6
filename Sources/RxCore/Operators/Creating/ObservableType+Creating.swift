import CombineCore

extension ObservableType {
    /// Creates an observable that calls the closure for each observer.
    ///
    /// The disposable returned by the closure is disposed of when the subscription ends. Events after an error or a
    /// completion are dropped.
    public static func create(_ subscribe: @escaping (AnyObserver<Element>) -> any Disposable) -> Observable<Element> {
        Observable(subscribe: { observer, group in group.add(subscribe(observer)) })
    }

    /// Returns an observable that emits one element and completes.
    public static func just(_ element: Element) -> Observable<Element> {
        Observable(Just(element).setFailureType(to: (any Error).self))
    }

    /// Returns an observable that emits one element on the scheduler and completes.
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        Observable<Element>.from([element], scheduler: scheduler)
    }

    /// Returns an observable that emits the given elements and completes.
    public static func of(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        Observable<Element>.from(elements, scheduler: scheduler)
    }

    /// Returns an observable that completes immediately.
    public static func empty() -> Observable<Element> {
        Observable(Empty())
    }

    /// Returns an observable that never emits an event.
    public static func never() -> Observable<Element> {
        Observable(Empty(completeImmediately: false))
    }

    /// Returns an observable that fails immediately.
    public static func error(_ error: any Error) -> Observable<Element> {
        Observable(Fail(error: error))
    }

    /// Returns an observable that calls the closure for each observer and subscribes it to the result. It fails if the
    /// closure throws.
    public static func deferred(_ observableFactory: @escaping () throws -> Observable<Element>) -> Observable<Element>
    {
        Observable(
            Deferred {
                do {
                    return try observableFactory().source
                } catch {
                    return Fail(error: error).eraseToAnyPublisher()
                }
            })
    }

    /// Returns an observable that emits the element, unless it is nil, and completes.
    public static func from(optional: Element?) -> Observable<Element> {
        optional.map(Observable.just) ?? .empty()
    }

    /// Returns an observable that emits the element on the scheduler, unless it is nil, and completes.
    public static func from(optional: Element?, scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        Observable<Element>.from(optional.map { [$0] } ?? [], scheduler: scheduler)
    }

    /// Returns an observable that emits the elements of an array and completes.
    public static func from(
        _ array: [Element], scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        emit(contentsOf: array, on: scheduler)
    }

    /// Returns an observable that emits the elements of a sequence and completes.
    public static func from<Sequence: Swift.Sequence>(
        _ sequence: Sequence, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> where Sequence.Element == Element {
        emit(contentsOf: sequence, on: scheduler)
    }

    /// Returns an observable that emits the element repeatedly, without end.
    public static func repeatElement(
        _ element: Element, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        emit(contentsOf: Swift.repeatElement(element, count: .max), on: scheduler)
    }

    /// Returns an observable that emits states as long as `condition` holds. The first is `initialState`; `iterate`
    /// returns the following ones.
    public static func generate(
        initialState: Element, condition: @escaping (Element) throws -> Bool,
        scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance,
        iterate: @escaping (Element) throws -> Element
    ) -> Observable<Element> {
        Observable(subscribe: { observer, group in
            var state = initialState
            let step = { (isFirst: Bool, again: (Bool) -> Void) in
                do {
                    // Only when the next state is needed, so that `iterate` does not run after the subscription was
                    // disposed of.
                    if !isFirst { state = try iterate(state) }
                    guard try condition(state) else { return observer.onCompleted() }
                    observer.onNext(state)
                    again(false)
                } catch {
                    observer.onError(error)
                }
            }
            group.add(scheduler.resolveImmediate().scheduleRecursive(true, action: step))
        })
    }

    /// Returns an observable that creates a resource for each observer and disposes of it when the subscription ends.
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping () throws -> Resource,
        observableFactory: @escaping (Resource) throws -> Observable<Element>
    ) -> Observable<Element> {
        Observable(subscribe: { observer, group in
            do {
                let resource = try resourceFactory()
                group.add(resource)
                try observableFactory(resource).listen(group, observer.on)
            } catch {
                observer.onError(error)
            }
        })
    }

    private static func emit<Elements: Swift.Sequence>(
        contentsOf elements: Elements, on scheduler: any ImmediateSchedulerType
    ) -> Observable<Element> where Elements.Element == Element {
        Observable(subscribe: { observer, group in
            var iterator = elements.makeIterator()
            let step = { (_: Void, again: (()) -> Void) in
                guard let element = iterator.next() else { return observer.onCompleted() }
                observer.onNext(element)
                again(())
            }
            group.add(scheduler.resolveImmediate().scheduleRecursive((), action: step))
        })
    }
}

extension ObservableType where Element: RxAbstractInteger {
    /// Returns an observable that emits `count` consecutive integers, beginning with `start`, and completes.
    public static func range(
        start: Element, count: Element, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        precondition(count >= 0, "expected a count of at least 0, got \(count)")
        precondition(
            !start.addingReportingOverflow(max(count, 1) - 1).overflow,
            "expected a range within the bounds of \(Element.self), got \(count) elements from \(start)")
        return Observable<Element>.generate(initialState: 0, condition: { $0 < count }, scheduler: scheduler) { $0 + 1 }
            .map { start + $0 }
    }
}

/// The integer types that ``ObservableType/range(start:count:scheduler:)`` and timers support.
public typealias RxAbstractInteger = FixedWidthInteger
