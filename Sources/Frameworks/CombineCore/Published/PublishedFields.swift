@_spi(Reflection) import Swift

/// A ``Published`` property, for code that found it by reflection and does not know the type of its value.
protocol PublishedProperty {
    /// Installs `publisher`, or a new one if it is nil, unless the property at `address` already has one.
    ///
    /// - Returns: The publisher through which the property announces changes.
    static func installWillChange(
        _ publisher: ObservableObjectPublisher?, at address: UnsafeRawPointer
    ) -> ObservableObjectPublisher
}

/// A search for the ``Published`` properties of an object.
// It reads the layout of the class rather than a `Mirror`, because a `CustomReflectable` class may hide or invent
// children.
enum PublishedFields {
    // The option for instances of classes. The standard library's own name for it, `classType`, is not part of its
    // interface.
    private static var classFields: _EachFieldOptions { _EachFieldOptions(rawValue: 1 << 0) }

    /// Calls `body` with the type and address of each published property, superclasses first, in the order of declaration.
    static func forEach(of object: AnyObject, _ body: (any PublishedProperty.Type, UnsafeRawPointer) -> Void) {
        // The fields are read at their offsets, without their types. `Unmanaged` gives the address without a retain;
        // the lifetime of the object is extended below.
        let base = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        withExtendedLifetime(object) {
            _ = _forEachField(of: type(of: object), options: classFields) { _, offset, type, _ in
                if let published = type as? any PublishedProperty.Type { body(published, base + offset) }
                return true
            }
        }
    }
}
