public import RxCore

/// The outside of a stream's output: it can be observed and read, and nothing that it holds can be sent to.
@dynamicMemberLookup
public final class OutputWrapper<T: OutputType> {
    /// What the wrapper hides, for the host, which finds the outputs of a stream by reflection.
    package let base: T

    /// Hides an output. Streams do it for theirs; mocks do it with their own.
    public init(_ base: T) {
        self.base = base
    }

    /// The stream of an output.
    public subscript<O: ObservableConvertibleType>(dynamicMember keyPath: KeyPath<T, O>) -> Observable<O.Element> {
        base[keyPath: keyPath].sealed
    }

    /// The value and the stream of an output that always has a value: a behavior relay.
    public subscript<O: ValueAccessible & ObservableConvertibleType>(dynamicMember keyPath: KeyPath<T, O>)
        -> Property<O.Element>
    {
        Property(base[keyPath: keyPath])
    }

    /// The value and the stream of an output that has a value until it fails: a behavior subject.
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

    /// The value, computed now.
    public subscript<Element>(dynamicMember keyPath: KeyPath<T, Computed<Element>>) -> Element {
        base[keyPath: keyPath].value
    }
}

extension OutputWrapper {
    /// The stream of an output.
    @available(*, deprecated, message: "Use the output's name.")
    public func observable<O: ObservableConvertibleType>(for keyPath: KeyPath<T, O>) -> Observable<O.Element> {
        self[dynamicMember: keyPath]
    }

    /// The value of an output that always has one.
    @available(*, deprecated, message: "Use the output's name and `value`.")
    public func value<O: ValueAccessible>(for keyPath: KeyPath<T, O>) -> O.Element {
        base[keyPath: keyPath].value
    }

    /// The value of an output that has one until it fails. Throws what it has failed with.
    @available(*, deprecated, message: "Use the output's name and `throwableValue()`.")
    public func value<O: ThrowableValueAccessible>(for keyPath: KeyPath<T, O>) throws -> O.Element {
        try base[keyPath: keyPath].throwableValue()
    }

    /// The value and the stream of an output that always has a value.
    @available(*, deprecated, message: "Use the output's name.")
    public func property<O: ValueAccessibleObservable>(for keyPath: KeyPath<T, O>) -> Property<O.Element> {
        Property(base[keyPath: keyPath])
    }

    /// The value and the stream of an output that has a value until it fails.
    @available(*, deprecated, message: "Use the output's name.")
    public func property<O: ThrowableValueAccessibleObservable>(for keyPath: KeyPath<T, O>)
        -> ThrowableProperty<O.Element>
    {
        ThrowableProperty(base[keyPath: keyPath])
    }
}
