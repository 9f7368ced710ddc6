extension AsyncSequence {
    /// A stream that iterates over the sequence anew for each observer, in a task that is cancelled with the
    /// subscription.
    public func asObservable() -> Observable<Element> {
        Observable(serving: { observer, group in
            let iterate = UnsafeTransfer { () async -> Void in
                do {
                    for try await element in self { observer.onNext(element) }
                    observer.onCompleted()
                } catch {
                    observer.onError(error)
                }
            }
            let task = Task { await iterate.value() }
            group.add(Disposables.create(with: task.cancel))
        })
    }
}

extension ObservableConvertibleType {
    /// The elements as an asynchronous sequence, which subscribes when it is created and keeps what has not been read.
    ///
    /// It throws the stream's error. Cancelling the task that reads it disposes of the subscription.
    public var values: AsyncThrowingStream<Element, any Error> {
        AsyncThrowingStream { continuation in
            let subscription = asObservable().subscribe { event in
                let event = UnsafeTransfer(event)
                switch event.value {
                case .next(let element): continuation.yield(UnsafeTransfer(element).value)
                case .error(let error): continuation.finish(throwing: error)
                case .completed: continuation.finish()
                }
            }
            let transfer = UnsafeTransfer(subscription)
            continuation.onTermination = { _ in transfer.value.dispose() }
        }
    }
}

extension InfallibleType {
    /// The elements as an asynchronous sequence, which subscribes when it is created and keeps what has not been read.
    /// Cancelling the task that reads it disposes of the subscription.
    public var values: AsyncStream<Element> {
        AsyncStream { continuation in
            let subscription = subscribe { event in
                switch event {
                case .next(let element): continuation.yield(UnsafeTransfer(element).value)
                case .completed: continuation.finish()
                }
            }
            let transfer = UnsafeTransfer(subscription)
            continuation.onTermination = { _ in transfer.value.dispose() }
        }
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// The element. Throws the error of the single, or ``RxError/noElements`` if it ends without either.
    /// Cancelling the task disposes of the subscription and throws `CancellationError`.
    public var value: Element {
        get async throws {
            guard let element = try await primitiveSequence.source.firstValue() else { throw RxError.noElements }
            return element
        }
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// A single that runs `work` in a task for each observer; the task is cancelled with the subscription.
    ///
    /// - Parameters:
    ///   - detached: Whether the task inherits nothing of the context in which the single is subscribed to.
    ///   - priority: The priority of the task; by default that of the context.
    public static func create(
        detached: Bool = false, priority: TaskPriority? = nil, work: @escaping @Sendable () async throws -> Element
    ) -> Single<Element> {
        .create { observer in
            let run = UnsafeTransfer { () async -> Void in
                do {
                    observer(.success(try await work()))
                } catch {
                    observer(.failure(error))
                }
            }
            let task =
                detached
                ? Task.detached(priority: priority) { await run.value() }
                : Task(priority: priority) { await run.value() }
            return Disposables.create(with: task.cancel)
        }
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// The element, if there is one. Throws the error of the maybe. Cancelling the task disposes of the subscription and
    /// throws `CancellationError`.
    public var value: Element? {
        get async throws { try await primitiveSequence.source.firstValue() }
    }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Returns when the completable has completed. Throws its error. Cancelling the task disposes of the subscription and
    /// throws `CancellationError`.
    public var value: Void {
        get async throws { _ = try await primitiveSequence.source.firstValue() }
    }
}

extension Observable {
    /// The first element; nil if the stream completes without one.
    fileprivate func firstValue() async throws -> Element? {
        for try await element in values { return element }
        try Task.checkCancellation()
        return nil
    }
}
