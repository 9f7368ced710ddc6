import CombineCore

extension ObservableType {
    /// A stream that runs the closure for each observer; what the closure returns is disposed of when the subscription is
    /// over. Events after an error or a completion are dropped.
    public static func create(_ subscribe: @escaping (AnyObserver<Element>) -> any Disposable) -> Observable<Element> {
        Observable(serving: { observer, group in group.add(subscribe(observer)) })
    }

    /// One element, then the end.
    public static func just(_ element: Element) -> Observable<Element> {
        Observable(Just(element).setFailureType(to: (any Error).self))
    }

    /// One element on the scheduler, then the end.
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        Observable<Element>.from([element], scheduler: scheduler)
    }

    /// The elements, then the end.
    public static func of(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        Observable<Element>.from(elements, scheduler: scheduler)
    }

    /// The end at once.
    public static func empty() -> Observable<Element> {
        Observable(Empty())
    }

    /// Nothing, ever.
    public static func never() -> Observable<Element> {
        Observable(Empty(completeImmediately: false))
    }

    /// The failure at once.
    public static func error(_ error: any Error) -> Observable<Element> {
        Observable(Fail(error: error))
    }

    /// For each observer the stream that the closure makes; a failure if it throws.
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

    /// The element, or none, then the end.
    public static func from(optional: Element?) -> Observable<Element> {
        optional.map(Observable.just) ?? .empty()
    }

    /// The element, or none, on the scheduler, then the end.
    public static func from(optional: Element?, scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        Observable<Element>.from(optional.map { [$0] } ?? [], scheduler: scheduler)
    }

    /// The elements of an array, then the end.
    public static func from(
        _ array: [Element], scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        walk(over: array, on: scheduler)
    }

    /// The elements of a sequence, then the end.
    public static func from<Sequence: Swift.Sequence>(
        _ sequence: Sequence, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> where Sequence.Element == Element {
        walk(over: sequence, on: scheduler)
    }

    /// The element again and again, for ever.
    public static func repeatElement(
        _ element: Element, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        walk(over: Swift.repeatElement(element, count: .max), on: scheduler)
    }

    /// The state while the condition holds of it, each time advanced by `iterate`.
    public static func generate(
        initialState: Element, condition: @escaping (Element) throws -> Bool,
        scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance,
        iterate: @escaping (Element) throws -> Element
    ) -> Observable<Element> {
        Observable(serving: { observer, group in
            var state = initialState
            let step = { (isFirst: Bool, again: (Bool) -> Void) in
                do {
                    // In the step that needs it: `iterate` does not run for an element that nobody waits for.
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

    /// A stream that needs something that is made for each observer and disposed of when the subscription is over.
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping () throws -> Resource,
        observableFactory: @escaping (Resource) throws -> Observable<Element>
    ) -> Observable<Element> {
        Observable(serving: { observer, group in
            do {
                let resource = try resourceFactory()
                group.add(resource)
                try observableFactory(resource).listen(group, observer.on)
            } catch {
                observer.onError(error)
            }
        })
    }

    private static func walk<Elements: Swift.Sequence>(
        over elements: Elements, on scheduler: any ImmediateSchedulerType
    ) -> Observable<Element> where Elements.Element == Element {
        Observable(serving: { observer, group in
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
    /// `count` numbers from `start` on, then the end.
    public static func range(
        start: Element, count: Element, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        precondition(count >= 0, "a range cannot have \(count) elements")
        precondition(
            !start.addingReportingOverflow(max(count, 1) - 1).overflow, "a range of \(count) from \(start) does not fit"
        )
        return Observable<Element>.generate(initialState: 0, condition: { $0 < count }, scheduler: scheduler) { $0 + 1 }
            .map { start + $0 }
    }
}

/// The integers that can be counted with.
public typealias RxAbstractInteger = FixedWidthInteger
