public import RxCore

/// The logic's side of a stream's input, which emits the elements that views send. Only a stream creates one, for its
/// logic.
@dynamicMemberLookup
public final class ObservableWrapper<T> {
    private let base: T

    init(_ base: T) {
        self.base = base
    }

    /// The observable of one relay or subject. It can only be observed.
    public subscript<O: ObservableConvertibleType>(dynamicMember keyPath: KeyPath<T, O>) -> Observable<O.Element> {
        base[keyPath: keyPath].sealed
    }
}
