extension ObservableType {
    /// Returns an observable that applies the closure to each element and an unretained object. It completes at the
    /// first element after the object is deallocated.
    public func withUnretained<Object: AnyObject, Out>(
        _ obj: Object, resultSelector: @escaping (Object, Element) -> Out
    ) -> Observable<Out> {
        let stream = asObservable()
        let result = Observable<Out>(subscribe: { [weak obj] observer, group in
            stream.listen(group) { [weak obj] event in
                switch event {
                case .next(let element):
                    guard let obj else { return observer.onCompleted() }
                    observer.onNext(resultSelector(obj, element))
                case .error(let error): observer.onError(error)
                case .completed: observer.onCompleted()
                }
            }
        })
        // The object cannot be captured, but operators that flatten can derive the result from the element again.
        return Derivation(result, origin: whileRetained(obj)) { [weak obj] element in
            guard let obj else { throw ReleasedObject() }
            return resultSelector(obj, element)
        }
    }

    /// Returns an observable that completes at the first element after the object is deallocated.
    private func whileRetained<Object: AnyObject>(_ object: Object) -> Observable<Element> {
        let stream = asObservable()
        return Observable(subscribe: { [weak object] observer, group in
            stream.listen(group) { [weak object] event in
                if case .next = event, object == nil { return observer.onCompleted() }
                observer.on(event)
            }
        })
    }

    /// Returns an observable that pairs each element with an unretained object. It completes at the first element after
    /// the object is deallocated.
    public func withUnretained<Object: AnyObject>(_ obj: Object) -> Observable<(Object, Element)> {
        withUnretained(obj) { ($0, $1) }
    }
}

/// Thrown by a closure whose object was deallocated between two operators.
private struct ReleasedObject: Error {}
