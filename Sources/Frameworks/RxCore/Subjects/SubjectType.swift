/// A type that is both an observer and an observable of the elements that it receives.
public protocol SubjectType<Element>: ObservableType {
    /// The type of the subject's observer side.
    associatedtype Observer: ObserverType

    /// Returns the observer side of the subject.
    func asObserver() -> Observer
}
