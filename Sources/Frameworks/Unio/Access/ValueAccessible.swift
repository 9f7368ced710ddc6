public import RxCore

/// A type that always has a current value.
public protocol ValueAccessible<Element> {
    /// The type of the value.
    associatedtype Element

    /// The current value.
    var value: Element { get }
}

/// A type that has a current value until it fails.
public protocol ThrowableValueAccessible<Element> {
    /// The type of the value.
    associatedtype Element

    /// Returns the current value.
    ///
    /// - Throws: An error if there is no value any more.
    func throwableValue() throws -> Element
}

/// An observable source that always has a current value.
public typealias ValueAccessibleObservable = ValueAccessible & ObservableConvertibleType

/// An observable source that has a current value until it fails.
public typealias ThrowableValueAccessibleObservable = ThrowableValueAccessible & ObservableConvertibleType
