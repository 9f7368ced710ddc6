import StateCapture

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
        return Observable(subscribe: { observer, group in
            onSubscribe?()
            let upstream = UpstreamSubscription(group, onDispose)
            group.add(upstream)
            stream.listen(upstream.subscription) { event in
                // The closures ran for a terminal event that a source sends again while a machine is restored.
                if event.isStopEvent, StateRegistry.isRestoring { return observer.on(event) }
                upstream.deferDisposal(while: event.isStopEvent) {
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
        func log(_ message: String) { print("\(name) -> \(message)") }
        func log(event: String) {
            log("Event \(trimOutput && event.count > 40 ? "\(event.prefix(20))...\(event.suffix(20))" : event)")
        }
        return self.do(
            onNext: { log(event: "next(\($0))") }, onError: { log(event: "error(\($0))") },
            onCompleted: { log(event: "completed") }, onSubscribe: { log("subscribed") },
            onDispose: { log("isDisposed") })
    }
}
