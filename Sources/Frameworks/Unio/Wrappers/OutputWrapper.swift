public import RxCore

/// The view's side of a stream's output. Its members can be observed and read, but not sent to.
@dynamicMemberLookup
public final class OutputWrapper<T: OutputType> {
    /// The underlying output, in which a host finds the outputs of a stream by reflection.
    package let base: T

    /// Creates a wrapper for an output. Streams do this for their outputs, and mocks for theirs.
    public init(_ base: T) {
        self.base = base
    }

    /// The observable of an output.
    public subscript<O: ObservableConvertibleType>(dynamicMember keyPath: KeyPath<T, O>) -> Observable<O.Element> {
        base[keyPath: keyPath].sealed
    }

    /// The value and the observable of an output that always has a value, such as a behavior relay.
    public subscript<O: ValueAccessible & ObservableConvertibleType>(dynamicMember keyPath: KeyPath<T, O>)
        -> Property<O.Element>
    {
        Property(base[keyPath: keyPath])
    }

    /// The value and the observable of an output that has a value until it fails, such as a behavior subject.
    public subscript<O: ThrowableValueAccessible & ObservableConvertibleType>(dynamicMember keyPath: KeyPath<T, O>)
        -> ThrowableProperty<O.Element>
    {
        ThrowableProperty(base[keyPath: keyPath])
    }

    /// The property itself.
    public subscript<Element>(dynamicMember keyPath: KeyPath<T, Property<Element>>) -> Property<Element> {
        base[keyPath: keyPath]
    }

    /// The property itself.
    public subscript<Element>(dynamicMember keyPath: KeyPath<T, ThrowableProperty<Element>>)
        -> ThrowableProperty<Element>
    {
        base[keyPath: keyPath]
    }

    /// The current value, computed on access.
    public subscript<Element>(dynamicMember keyPath: KeyPath<T, Computed<Element>>) -> Element {
        base[keyPath: keyPath].value
    }
}

extension OutputWrapper {
    /// The observable of an output.
    @available(*, deprecated, message: "Use the output's name.")
    public func observable<O: ObservableConvertibleType>(for keyPath: KeyPath<T, O>) -> Observable<O.Element> {
        self[dynamicMember: keyPath]
    }

    /// Returns the value of an output that always has one.
    @available(*, deprecated, message: "Use the output's name and `value`.")
    public func value<O: ValueAccessible>(for keyPath: KeyPath<T, O>) -> O.Element {
        base[keyPath: keyPath].value
    }

    /// Returns the value of an output that has one until it fails.
    ///
    /// - Throws: The error with which the output failed.
    @available(*, deprecated, message: "Use the output's name and `throwableValue()`.")
    public func value<O: ThrowableValueAccessible>(for keyPath: KeyPath<T, O>) throws -> O.Element {
        try base[keyPath: keyPath].throwableValue()
    }

    /// Returns the value and the observable of an output that always has a value.
    @available(*, deprecated, message: "Use the output's name.")
    public func property<O: ValueAccessibleObservable>(for keyPath: KeyPath<T, O>) -> Property<O.Element> {
        Property(base[keyPath: keyPath])
    }

    /// Returns the value and the observable of an output that has a value until it fails.
    @available(*, deprecated, message: "Use the output's name.")
    public func property<O: ThrowableValueAccessibleObservable>(for keyPath: KeyPath<T, O>)
        -> ThrowableProperty<O.Element>
    {
        ThrowableProperty(base[keyPath: keyPath])
    }
}
