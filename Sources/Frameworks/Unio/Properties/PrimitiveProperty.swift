public import RxCore

/// The current value and the observable of an output. It is not itself an observable: operators are available on
/// ``asObservable()``.
public final class PrimitiveProperty<Element, Failure: Error>: ObservableConvertibleType {
    private let stream: Observable<Element>
    private let read: () -> Result<Element, Failure>

    private init(stream: Observable<Element>, read: @escaping () -> Result<Element, Failure>) {
        self.stream = stream
        self.read = read
    }

    /// Returns the observable, which begins with the current value.
    public func asObservable() -> Observable<Element> {
        stream
    }

    /// The current value, or the error with which the output failed.
    package var current: Result<Element, Failure> { read() }
}

/// The current value and the observable of an output that always has a value.
public typealias Property<Element> = PrimitiveProperty<Element, Never>

/// The current value and the observable of an output that has a value until it fails.
public typealias ThrowableProperty<Element> = PrimitiveProperty<Element, any Error>

extension PrimitiveProperty where Failure == Never {
    convenience init<O: ValueAccessible & ObservableConvertibleType>(_ output: O) where O.Element == Element {
        self.init(stream: output.sealed) { .success(output.value) }
    }

    /// The current value.
    public var value: Element { read().get() }
}

extension PrimitiveProperty where Failure == any Error {
    convenience init<O: ThrowableValueAccessible & ObservableConvertibleType>(_ output: O) where O.Element == Element {
        self.init(stream: output.sealed) { Result { try output.throwableValue() } }
    }

    /// Returns the current value.
    ///
    /// - Throws: An error if the output failed or was disposed of.
    public func throwableValue() throws -> Element {
        try read().get()
    }
}

extension PrimitiveProperty: ValueAccessible where Failure == Never {}
extension PrimitiveProperty: ThrowableValueAccessible where Failure == any Error {}

extension ObservableConvertibleType {
    /// The observable without access to the object behind it. A subject is also an observable, so a client could
    /// otherwise cast it back and send to it.
    var sealed: Observable<Element> {
        let stream = asObservable()
        // `merge` of one source forwards its events in a new object. A plain observable needs no such object.
        return stream is any ObserverType ? Observable.merge(stream) : stream
    }
}
