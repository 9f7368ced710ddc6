extension ObservableType {
    /// Returns an observable that passes each event of this one to a handler with state.
    ///
    /// The handler is created for each observer. If the session's machine is being wired, it registers its state with
    /// the second argument.
    @inlinable
    func liftStateful<Result>(
        _ makeHandler: @escaping (AnyObserver<Result>, OperatorCapture?) -> (Event<Element>) -> Void
    ) -> Observable<Result> {
        let stream = asObservable()
        return Observable(subscribe: { observer, group in
            let capture = OperatorCapture.current(group)
            stream.listen(group, capture, makeHandler(observer, capture))
            capture?.finish(observer)
        })
    }
}
