/// The storage of a ``Published`` property, for code that does not know the type of its value.
package protocol AnyPublishedStorage: AnyObject {
    /// The type of the property's value.
    var valueType: Any.Type { get }

    /// The stored value. While a new value is being sent, this is still the old one.
    var committedValue: Any { get }

    /// Sets the property, including the announcement through `objectWillChange`.
    ///
    /// - Returns: False, without any effect, if `value` is not of the property's type.
    func setValue(_ value: Any) -> Bool

    /// Calls `body` whenever the property is set, before the new value is stored. Does not call it for the current
    /// value.
    func observe(_ body: @escaping () -> Void) -> AnyCancellable

    /// Installs `publisher`, or a new one if it is nil, unless the property already has one.
    ///
    /// - Returns: The publisher through which the property announces changes.
    func installWillChange(_ publisher: ObservableObjectPublisher?) -> ObservableObjectPublisher
}

/// A ``Published`` property, for code that found it by reflection and does not know the type of its value.
///
/// Copies of a `Published` share their storage, so the copy in a `Mirror` leads to the property itself.
package protocol PublishedProperty {
    /// The storage that all copies of the property share.
    var storage: any AnyPublishedStorage { get }

    /// Returns the storage of the property at `address`.
    static func storage(at address: UnsafeRawPointer) -> any AnyPublishedStorage
}
