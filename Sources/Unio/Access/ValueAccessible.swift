public import RxCore

/// Something that always has a current value.
public protocol ValueAccessible<Element> {
    /// What the value is.
    associatedtype Element

    /// The current value.
    var value: Element { get }
}

/// Something that has a current value until it fails.
public protocol ThrowableValueAccessible<Element> {
    /// What the value is.
    associatedtype Element

    /// The current value; throws if there is none any more.
    func throwableValue() throws -> Element
}

/// A stream that always has a current value.
public typealias ValueAccessibleObservable = ValueAccessible & ObservableConvertibleType

/// A stream that has a current value until it fails.
public typealias ThrowableValueAccessibleObservable = ThrowableValueAccessible & ObservableConvertibleType
