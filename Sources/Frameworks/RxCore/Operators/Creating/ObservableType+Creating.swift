import CombineCore

extension ObservableType {
    /// Creates an observable that calls the closure for each observer.
    ///
    /// The disposable returned by the closure is disposed of when the subscription ends. Events after an error or a
    /// completion are dropped.
    ///
    /// When a session is restored, the closure runs again unless the observable had terminated. Elements that it emits
    /// before it returns are then dropped.
    public static func create(_ subscribe: @escaping (AnyObserver<Element>) -> any Disposable) -> Observable<Element> {
        create(isRepeated: true, subscribe)
    }

    /// Creates an observable whose closure runs again when a session is restored, or does work that must not be repeated.
    static func create(
        isRepeated: Bool, _ subscribe: @escaping (AnyObserver<Element>) -> any Disposable
    ) -> Observable<Element> {
        Observable(subscribe: { observer, group in
            guard let capture = OperatorCapture.current(group) else { return group.add(subscribe(observer)) }
            CapturedSource.create(isRepeated: isRepeated, observer, group, capture, subscribe)
        })
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
            TrampolinedPublisher(
                Deferred {
                    do {
                        return try observableFactory().source
                    } catch {
                        return Fail(error: error).eraseToAnyPublisher()
                    }
                }))
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
            var state = GenerationState(element: CapturedValue(initialState), isFirst: true)
            let capture = OperatorCapture.current(group)
            capture?.keep("generate", holding: Element.self, { state }, { state = $0 })
            let step = { (_: Void, again: (()) -> Void) in
                do {
                    guard var element = state.element.value else { return observer.onCompleted() }
                    // Only when the next state is needed, so that `iterate` does not run after the subscription was
                    // disposed of.
                    if !state.isFirst { element = try iterate(element) }
                    state = GenerationState(element: CapturedValue(element), isFirst: false)
                    guard try condition(element) else { return observer.onCompleted() }
                    OperatorCapture.withoutCapture { observer.onNext(element) }
                    again(())
                } catch {
                    observer.onError(error)
                }
            }
            CapturedSource.run(step, observer, group, capture, scheduler)
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
                // A group of its own before the resource, which the source may use until it is disposed of.
                let source = CompositeDisposable()
                group.add(source)
                group.add(resource)
                try observableFactory(resource).listen(source, observer.on)
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
            var position = 0
            let capture = OperatorCapture.current(group)
            capture?.keep(
                "from", holding: Int.self, { position },
                { count in
                    while position < count, iterator.next() != nil { position += 1 }
                })
            let step = { (_: Void, again: (()) -> Void) in
                guard let element = iterator.next() else { return observer.onCompleted() }
                position += 1
                OperatorCapture.withoutCapture { observer.onNext(element) }
                again(())
            }
            CapturedSource.run(step, observer, group, capture, scheduler)
        })
    }
}

private struct GenerationState<Element>: Codable {
    var element: CapturedValue<Element>
    var isFirst: Bool
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
