extension ObservableType {
    /// Returns an observable that runs the closures as side effects: before and after each event, on subscription, and
    /// at the end of the subscription.
    public func `do`(
        onNext: ((Element) throws -> Void)? = nil, afterNext: ((Element) throws -> Void)? = nil,
        onError: ((any Error) throws -> Void)? = nil, afterError: ((any Error) throws -> Void)? = nil,
        onCompleted: (() throws -> Void)? = nil, afterCompleted: (() throws -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil, onSubscribed: (() -> Void)? = nil, onDispose: (() -> Void)? = nil
    ) -> Observable<Element> {
        let stream = asObservable()
        return Observable(serving: { observer, group in
            onSubscribe?()
            let upstream = UpstreamLifetime(group, onDispose)
            group.add(upstream)
            stream.listen(upstream.subscription) { event in
                upstream.hold(while: event.isStopEvent) {
                    do {
                        switch event {
                        case .next(let element):
                            try onNext?(element)
                            observer.on(event)
                            try afterNext?(element)
                        case .error(let error):
                            try onError?(error)
                            observer.on(event)
                            try afterError?(error)
                        case .completed:
                            try onCompleted?()
                            observer.on(event)
                            try afterCompleted?()
                        }
                    } catch {
                        observer.onError(error)
                    }
                }
            }
            onSubscribed?()
            upstream.subscribed()
        })
    }

    /// Returns an observable that prints every event, prefixed with the identifier.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #file, line: UInt = #line,
        function: String = #function
    ) -> Observable<Element> {
        let name = identifier ?? "\(file.split(separator: "/").last ?? ""):\(line) (\(function))"
        func say(_ what: String) {
            let text = trimOutput && what.count > 40 ? "\(what.prefix(20))...\(what.suffix(20))" : what
            print("\(name) -> \(text)")
        }
        return self.do(
            onNext: { say("Event next(\($0))") }, onError: { say("Event error(\($0))") },
            onCompleted: { say("Event completed") }, onSubscribe: { say("subscribed") },
            onDispose: { say("isDisposed") })
    }
}
