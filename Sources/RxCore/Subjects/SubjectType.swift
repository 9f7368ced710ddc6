/// Something that is both: an observer, and a stream of what it is told.
public protocol SubjectType<Element>: ObservableType {
    /// The observer's side.
    associatedtype Observer: ObserverType

    /// The observer's side, without the stream.
    func asObserver() -> Observer
}
