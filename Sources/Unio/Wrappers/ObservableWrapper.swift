public import RxCore

/// The inside of a stream's input: what views send comes out here. Only the stream makes one, for its logic.
@dynamicMemberLookup
public final class ObservableWrapper<T> {
    private let base: T

    init(_ base: T) {
        self.base = base
    }

    /// The stream of one relay or subject. It can be observed and nothing else.
    public subscript<O: ObservableConvertibleType>(dynamicMember keyPath: KeyPath<T, O>) -> Observable<O.Element> {
        base[keyPath: keyPath].sealed
    }
}
