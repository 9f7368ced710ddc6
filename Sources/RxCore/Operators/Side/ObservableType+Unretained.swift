extension ObservableType {
    /// What the closure makes of each element and of an object that is not retained; ends at the first element that finds
    /// the object gone.
    public func withUnretained<Object: AnyObject, Out>(
        _ obj: Object, resultSelector: @escaping (Object, Element) -> Out
    ) -> Observable<Out> {
        let stream = asObservable()
        return Observable(serving: { [weak obj] observer, group in
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

    /// Each element with an object that is not retained; ends at the first element that finds the object gone.
    public func withUnretained<Object: AnyObject>(_ obj: Object) -> Observable<(Object, Element)> {
        withUnretained(obj) { ($0, $1) }
    }
}
