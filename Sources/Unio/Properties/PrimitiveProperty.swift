public import RxCore

/// The current value and the stream of an output. It is no stream itself: operators are found on ``asObservable()``.
public final class PrimitiveProperty<Element, Failure: Error>: ObservableConvertibleType {
    private let stream: Observable<Element>
    private let read: () -> Result<Element, Failure>

    private init(stream: Observable<Element>, read: @escaping () -> Result<Element, Failure>) {
        self.stream = stream
        self.read = read
    }

    /// The stream, which starts with the current value.
    public func asObservable() -> Observable<Element> {
        stream
    }

    /// The current value, or what the output has failed with.
    package var current: Result<Element, Failure> { read() }
}

/// The current value and the stream of an output that always has a value.
public typealias Property<Element> = PrimitiveProperty<Element, Never>

/// The current value and the stream of an output that has a value until it fails.
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

    /// The current value; throws once the output has failed or was disposed of.
    public func throwableValue() throws -> Element {
        try read().get()
    }
}

extension PrimitiveProperty: ValueAccessible where Failure == Never {}
extension PrimitiveProperty: ThrowableValueAccessible where Failure == any Error {}

extension ObservableConvertibleType {
    /// The stream and nothing behind it: a subject is an observable, too, and could be cast back and be sent to.
    var sealed: Observable<Element> {
        let stream = asObservable()
        return stream is any ObserverType ? Observable.merge(stream) : stream
    }
}
