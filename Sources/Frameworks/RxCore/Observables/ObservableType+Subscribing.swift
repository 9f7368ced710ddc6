extension ObservableType {
    /// Calls the closure for each event.
    @inlinable
    public func subscribe(_ on: @escaping (Event<Element>) -> Void) -> any Disposable {
        subscribe(AnyObserver(eventHandler: on))
    }

    /// Subscribes closures to the elements, the error, the completion, and the end of the subscription for any reason.
    /// An error without an `onError` is passed to ``Hooks/defaultErrorHandler``.
    @inlinable
    public func subscribe(
        onNext: ((Element) -> Void)? = nil, onError: ((any Error) -> Void)? = nil, onCompleted: (() -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        let end = onDisposed.map { Disposables.create(with: $0) }
        let callStack = Hooks.callStack(unless: onError)
        let subscription = subscribe(
            AnyObserver { event in
                switch event {
                case .next(let element): onNext?(element)
                case .error(let error):
                    Hooks.report(error, to: onError, from: callStack)
                    end?.dispose()
                case .completed:
                    onCompleted?()
                    end?.dispose()
                }
            })
        // Without `onDisposed`, the plain subscription saves an allocation and a second call.
        return end.map { NotifyingDisposable(subscription: subscription, end: $0) } ?? subscription
    }

    /// Subscribes closures that receive an unretained object; see
    /// ``subscribe(onNext:onError:onCompleted:onDisposed:)``. After the object is deallocated, they are not called. As
    /// in RxSwift, an error without an `onError` is ignored.
    @inlinable
    public func subscribe<Object: AnyObject>(
        with object: Object, onNext: ((Object, Element) -> Void)? = nil,
        onError: ((Object, any Error) -> Void)? = nil, onCompleted: ((Object) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        subscribe(
            onNext: { [weak object] element in object.map { onNext?($0, element) } },
            onError: { [weak object] error in object.map { onError?($0, error) } },
            onCompleted: { [weak object] in object.map { onCompleted?($0) } },
            onDisposed: { [weak object] in object.map { onDisposed?($0) } })
    }
}

/// A subscription that runs an action when it ends.
@usableFromInline
struct NotifyingDisposable: Cancelable, Finishable {
    @usableFromInline let subscription: any Disposable
    @usableFromInline let end: any Cancelable

    @usableFromInline
    init(subscription: any Disposable, end: any Cancelable) {
        self.subscription = subscription
        self.end = end
    }

    @usableFromInline var isDisposed: Bool { end.isDisposed }

    @usableFromInline var isFinished: Bool { end.isDisposed }

    @usableFromInline
    func dispose() {
        subscription.dispose()
        end.dispose()
    }
}
