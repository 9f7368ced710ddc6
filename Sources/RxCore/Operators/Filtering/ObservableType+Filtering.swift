import CombineCore

extension ObservableType {
    /// The elements for which the closure says yes; a failure if it throws.
    @inlinable
    public func filter(_ predicate: @escaping (Element) throws -> Bool) -> Observable<Element> {
        compactMap { try predicate($0) ? $0 : nil }
    }

    /// The end, without the elements before it.
    public func ignoreElements() -> Observable<Never> {
        lift { observer in
            { event in
                switch event {
                case .next: break
                case .error(let error): observer.onError(error)
                case .completed: observer.onCompleted()
                }
            }
        }
    }

    /// The elements that differ from the one before, as `comparer` sees it.
    @inlinable
    public func distinctUntilChanged(_ comparer: @escaping (Element, Element) throws -> Bool) -> Observable<Element> {
        distinctUntilChanged({ $0 }, comparer: comparer)
    }

    /// The elements whose key differs from that of the one before.
    @inlinable
    public func distinctUntilChanged<Key: Equatable>(_ keySelector: @escaping (Element) throws -> Key)
        -> Observable<Element>
    {
        distinctUntilChanged(keySelector, comparer: ==)
    }

    /// The elements of which a property differs from that of the one before.
    @inlinable
    public func distinctUntilChanged<Property: Equatable>(at keyPath: KeyPath<Element, Property>)
        -> Observable<Element>
    {
        distinctUntilChanged { $0[keyPath: keyPath] == $1[keyPath: keyPath] }
    }

    /// The elements whose key differs from that of the one before, as `comparer` sees it.
    @inlinable
    public func distinctUntilChanged<Key>(
        _ keySelector: @escaping (Element) throws -> Key, comparer: @escaping (Key, Key) throws -> Bool
    ) -> Observable<Element> {
        lift { observer in
            var last: Key?
            return { event in
                guard case .next(let element) = event else { return observer.on(event) }
                do {
                    let key = try keySelector(element)
                    if let known = last, try comparer(known, key) { return }
                    last = key
                    observer.onNext(element)
                } catch {
                    observer.onError(error)
                }
            }
        }
    }

    /// The element at that place, counted from 0, then the end; a failure if there is none.
    public func element(at index: Int) -> Observable<Element> {
        precondition(index >= 0, "there is no element at \(index)")
        return enumerated()
            .filter { $0.index == index }
            .map(\.element)
            .take(1)
            .orFail(RxError.argumentOutOfRange)
    }

    /// The only element; a failure if there is none, or more than one.
    public func single() -> Observable<Element> {
        single { _ in true }
    }

    /// The only element for which the closure says yes; a failure if there is none, or more than one.
    public func single(_ predicate: @escaping (Element) throws -> Bool) -> Observable<Element> {
        filter(predicate).lift { observer in
            var hasOne = false
            return { event in
                switch event {
                case .next where hasOne: observer.onError(RxError.moreThanOneElement)
                case .next:
                    hasOne = true
                    observer.on(event)
                case .completed where !hasOne: observer.onError(RxError.noElements)
                default: observer.on(event)
                }
            }
        }
    }

    /// The first element, or nil if the stream ends without one.
    public func first() -> Single<Element?> {
        Single(raw: map { $0 as Element? }.take(1).ifEmpty(default: nil))
    }

    /// The elements; the given one if there are none.
    public func ifEmpty(default element: Element) -> Observable<Element> {
        ifEmpty(switchTo: .just(element))
    }

    /// The elements; those of the other stream if there are none.
    public func ifEmpty(switchTo other: Observable<Element>) -> Observable<Element> {
        let stream = asObservable()
        return Observable(serving: { observer, group in
            var isEmpty = true
            stream.listen(group) { event in
                if case .completed = event, isEmpty { return other.listen(group, observer.on) }
                isEmpty = false
                observer.on(event)
            }
        })
    }

    /// The elements; the failure if there are none.
    func orFail(_ error: any Error) -> Observable<Element> {
        ifEmpty(switchTo: .error(error))
    }
}

extension ObservableType where Element: Equatable {
    /// The elements that differ from the one before.
    @inlinable
    public func distinctUntilChanged() -> Observable<Element> {
        distinctUntilChanged(==)
    }
}
