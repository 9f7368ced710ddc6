/// The storage of a ``Published`` property, for code that does not know the type of its value.
package protocol AnyPublishedStorage: AnyObject {
    /// The type of the property's value.
    var valueType: Any.Type { get }

    /// The value that has been committed: while a new value is being sent, still the old one.
    var committedValue: Any { get }

    /// Does exactly what setting the property does, `objectWillChange` included.
    ///
    /// - Returns: False, with nothing done, if `value` is not of the property's type.
    func setValue(_ value: Any) -> Bool

    /// Calls `body` each time that the property is set, before the new value is stored; not for the current value.
    func observe(_ body: @escaping () -> Void) -> AnyCancellable

    /// Installs `publisher`, or a new one if it is nil, unless the property has one already.
    ///
    /// - Returns: The publisher that the property announces changes through.
    func installWillChange(_ publisher: ObservableObjectPublisher?) -> ObservableObjectPublisher
}

/// A ``Published`` property, for code that found it by reflection and does not know the type of its value.
///
/// Copies of a `Published` share their storage, so the copy that a `Mirror` makes leads to the property itself.
package protocol PublishedProperty {
    /// The storage that all copies of the property share.
    var storage: any AnyPublishedStorage { get }

    /// The storage of the property that lies at `address`.
    static func storage(at address: UnsafeRawPointer) -> any AnyPublishedStorage
}
