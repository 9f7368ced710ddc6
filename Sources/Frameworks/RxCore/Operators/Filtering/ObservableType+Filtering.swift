extension ObservableType {
    /// Returns an observable that emits the elements that satisfy the predicate. It fails if the predicate throws.
    @inlinable
    public func filter(_ predicate: @escaping (Element) throws -> Bool) -> Observable<Element> {
        compactMap { try predicate($0) ? $0 : nil }
    }

    /// Returns an observable that emits only the terminal event.
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

    /// Returns an observable that drops each element that `comparer` considers equal to the previous one.
    @inlinable
    public func distinctUntilChanged(_ comparer: @escaping (Element, Element) throws -> Bool) -> Observable<Element> {
        distinctUntilChanged({ $0 }, comparer: comparer)
    }

    /// Returns an observable that drops each element whose key equals the key of the previous one.
    @inlinable
    public func distinctUntilChanged<Key: Equatable>(_ keySelector: @escaping (Element) throws -> Key)
        -> Observable<Element>
    {
        distinctUntilChanged(keySelector, comparer: ==)
    }

    /// Returns an observable that drops each element whose property equals that of the previous one.
    @inlinable
    public func distinctUntilChanged<Property: Equatable>(at keyPath: KeyPath<Element, Property>)
        -> Observable<Element>
    {
        distinctUntilChanged { $0[keyPath: keyPath] == $1[keyPath: keyPath] }
    }

    /// Returns an observable that drops each element whose key `comparer` considers equal to the key of the previous
    /// one.
    @inlinable
    public func distinctUntilChanged<Key>(
        _ keySelector: @escaping (Element) throws -> Key, comparer: @escaping (Key, Key) throws -> Bool
    ) -> Observable<Element> {
        liftStateful { observer, capture in
            var last = CapturedValue<Key>()
            capture?.keep("distinctUntilChanged", holding: Key.self, { last }, { last = $0 })
            return { event in
                guard case .next(let element) = event else { return observer.on(event) }
                do {
                    let key = try keySelector(element)
                    if let known = last.value, try comparer(known, key) { return }
                    // Stored before the delivery, so that an element that is sent meanwhile is compared with this one.
                    last.value = key
                    observer.onNext(element)
                } catch {
                    observer.onError(error)
                }
            }
        }
    }

    /// Returns an observable that emits the element at the zero-based index and completes. It fails with
    /// ``RxError/argumentOutOfRange`` if none exists.
    public func element(at index: Int) -> Observable<Element> {
        precondition(index >= 0, "expected an index of at least 0, got \(index)")
        return enumerated()
            .filter { $0.index == index }
            .map(\.element)
            .take(1)
            .ifEmpty(switchTo: .error(RxError.argumentOutOfRange))
    }

    /// Returns an observable that emits the only element. It fails if none or more than one exists.
    public func single() -> Observable<Element> {
        single { _ in true }
    }

    /// Returns an observable that emits the only element that satisfies the predicate. It fails if none exists or
    /// more than one.
    public func single(_ predicate: @escaping (Element) throws -> Bool) -> Observable<Element> {
        filter(predicate).liftStateful { observer, capture in
            var hasOne = false
            capture?.keep("single", holding: Bool.self, { hasOne }, { hasOne = $0 })
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

    /// Returns a single with the first element, or nil if the observable completes without one.
    public func first() -> Single<Element?> {
        Single(raw: map { $0 as Element? }.take(1).ifEmpty(default: nil))
    }

    /// Returns an observable that emits the given element if this one completes without elements.
    public func ifEmpty(default element: Element) -> Observable<Element> {
        ifEmpty(switchTo: .just(element))
    }

    /// Returns an observable that continues with the other one if this one completes without elements.
    public func ifEmpty(switchTo other: Observable<Element>) -> Observable<Element> {
        typealias Progress = EmptySourceProgress
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            let capture = OperatorCapture.current(group)
            var progress = Progress.empty
            capture?.keep("ifEmpty", holding: Progress.self, { progress }, { progress = $0 })
            capture?.makeScope("ifEmpty")
            let listenToOther = { other.listen(group, observer.on) }
            stream.listenUnserialized(group, capture) { event in
                var isSwitching = false
                let receive = {
                    if case .completed = event, progress == .empty {
                        isSwitching = true
                        progress = .switched
                    } else {
                        if progress == .empty { progress = .notEmpty }
                        observer.on(event)
                    }
                }
                if let capture { capture.serializer.run(receive) } else { receive() }
                guard isSwitching else { return }
                if let capture { capture.wireLater(listenToOther) } else { listenToOther() }
            }
            guard let capture else { return }
            capture.finish(observer)
            if capture.isRestored, !capture.hasEnded, progress == .switched { capture.wireLater(listenToOther) }
        })
    }
}

extension ObservableType where Element: Equatable {
    /// Returns an observable that drops each element that equals the previous one.
    @inlinable
    public func distinctUntilChanged() -> Observable<Element> {
        distinctUntilChanged(==)
    }
}

private enum EmptySourceProgress: Int, Codable {
    case empty
    case notEmpty
    case switched
}
