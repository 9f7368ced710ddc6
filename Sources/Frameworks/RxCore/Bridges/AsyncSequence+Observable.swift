import Locking

extension AsyncSequence {
    /// Returns an observable that iterates over the sequence in a new task for each observer. Disposing of the
    /// subscription cancels the task.
    ///
    /// In a session, the elements arrive as turns on the session's loop.
    ///
    /// - Parameters:
    ///   - detached: Whether the task is detached, so that it inherits nothing from the context of the subscription.
    ///   - priority: The priority of the task; by default the priority of that context.
    public func asObservable(detached: Bool = false, priority: TaskPriority? = nil) -> Observable<Element> {
        Observable(subscribe: { observer, group in
            // Neither the sequence nor the observer has to be Sendable, but a task requires it. Only the task uses
            // them.
            let delivery = TaskDelivery()
            let iterate = UnsafeTransfer { () async -> Void in
                do {
                    for try await element in self { await delivery.deliverAndWait { observer.onNext(element) } }
                    delivery.deliver { observer.onCompleted() }
                } catch {
                    delivery.deliver { observer.onError(error) }
                }
            }
            let task = delivery.makeTask(detached: detached, priority: priority) { await iterate.value() }
            group.add(Disposables.create(with: task.cancel))
        })
    }
}

extension ObservableConvertibleType {
    /// The elements as an asynchronous sequence.
    ///
    /// The sequence subscribes when it is created and buffers unread elements without a limit. It throws the
    /// observable's error. Cancelling the task that iterates over it disposes of the subscription.
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
    /// The elements as an asynchronous sequence.
    ///
    /// The sequence subscribes when it is created and buffers unread elements without a limit. Cancelling the task that
    /// iterates over it disposes of the subscription.
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
    /// The element of the single.
    ///
    /// Cancelling the task disposes of the subscription and throws `CancellationError`.
    ///
    /// - Throws: The error of the single, or ``RxError/noElements`` if the single completes without an element.
    public var value: Element {
        get async throws {
            guard let element = try await primitiveSequence.source.firstValue() else { throw RxError.noElements }
            return element
        }
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Creates a single that runs `work` in a new task for each observer. Disposing of the subscription cancels the
    /// task. In a session, the element arrives as a turn on the session's loop.
    ///
    /// - Parameters:
    ///   - detached: Whether the task is detached, so that it inherits nothing from the context of the subscription.
    ///   - priority: The priority of the task; by default the priority of that context.
    ///   - work: The asynchronous work that produces the element.
    public static func create(
        detached: Bool = false, priority: TaskPriority? = nil, work: @escaping @Sendable () async throws -> Element
    ) -> Single<Element> {
        .create { observer in
            let delivery = TaskDelivery()
            let run = UnsafeTransfer { () async -> Void in
                do {
                    let element = try await work()
                    delivery.deliver { observer(.success(element)) }
                } catch {
                    delivery.deliver { observer(.failure(error)) }
                }
            }
            let task = delivery.makeTask(detached: detached, priority: priority) { await run.value() }
            return Disposables.create(with: task.cancel)
        }
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// The element of the maybe, or nil if it completes without one.
    ///
    /// Cancelling the task disposes of the subscription and throws `CancellationError`.
    ///
    /// - Throws: The error of the maybe.
    public var value: Element? {
        get async throws { try await primitiveSequence.source.firstValue() }
    }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Waits until the completable completes.
    ///
    /// Cancelling the task disposes of the subscription and throws `CancellationError`.
    ///
    /// - Throws: The error of the completable.
    public var value: Void {
        get async throws { _ = try await primitiveSequence.source.firstValue() }
    }
}

extension Observable {
    /// Returns the first element, or nil if the observable completes without one.
    fileprivate func firstValue() async throws -> Element? {
        for try await element in values { return element }
        // A cancelled `AsyncThrowingStream` ends without an error, which would read as an observable without elements.
        try Task.checkCancellation()
        return nil
    }
}
