extension ObservableType {
    /// Returns an observable that applies the closure to each element and an unretained object. It completes at the
    /// first element after the object is deallocated.
    public func withUnretained<Object: AnyObject, Out>(
        _ obj: Object, resultSelector: @escaping (Object, Element) -> Out
    ) -> Observable<Out> {
        let stream = asObservable()
        return Observable(subscribe: { [weak obj] observer, group in
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
    }

    /// Returns an observable that pairs each element with an unretained object. It completes at the first element after
    /// the object is deallocated.
    public func withUnretained<Object: AnyObject>(_ obj: Object) -> Observable<(Object, Element)> {
        withUnretained(obj) { ($0, $1) }
    }
}
