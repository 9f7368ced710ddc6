public import CombineCore

extension ObservableConvertibleType {
    /// The observable as a publisher.
    ///
    /// Sources without a notion of demand buffer the elements that a subscriber has not requested. Subjects and relays
    /// drop them, as Combine's subjects do.
    public var publisher: AnyPublisher<Element, any Error> { asObservable().source }
}

extension Publisher {
    /// Returns an observable that subscribes to the publisher with unlimited demand.
    public func asObservable() -> Observable<Output> {
        Observable(TrampolinedPublisher(mapError { $0 as any Error }))
    }
}

extension Publisher where Failure == any Error {
    /// Returns an observable that subscribes to the publisher with unlimited demand.
    public func asObservable() -> Observable<Output> {
        Observable(TrampolinedPublisher(self))
    }
}
