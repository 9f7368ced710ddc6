public import CombineCore

extension ObservableConvertibleType {
    /// The stream as a publisher. What a subscriber has not asked for yet is kept for it by the sources that have no notion
    /// of demand; subjects and relays drop it, as Combine's subjects do.
    public var publisher: AnyPublisher<Element, any Error> { asObservable().source }
}

extension Publisher {
    /// The publisher as an observable, which asks for everything.
    public func asObservable() -> Observable<Output> {
        Observable(mapError { $0 as any Error })
    }
}

extension Publisher where Failure == any Error {
    /// The publisher as an observable, which asks for everything.
    public func asObservable() -> Observable<Output> {
        Observable(self)
    }
}
