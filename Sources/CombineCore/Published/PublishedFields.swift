@_spi(Reflection) import Swift

/// Finds the ``Published`` properties of an object.
///
/// It reads the layout of the class rather than a `Mirror`, which a `CustomReflectable` class may fill as it likes.
enum PublishedFields {
    /// The fields of a class instance. Its name, `classType`, is a variable of the standard library and so out of reach.
    private static var classFields: _EachFieldOptions { _EachFieldOptions(rawValue: 1 << 0) }

    /// Calls `body` for the storage of each published property, superclasses first, in the order of declaration.
    static func forEach(of object: AnyObject, _ body: (any AnyPublishedStorage) -> Void) {
        let base = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        withExtendedLifetime(object) {
            _ = _forEachField(of: type(of: object), options: classFields) { _, offset, type, _ in
                if let published = type as? any PublishedProperty.Type {
                    body(published.storage(at: base + offset))
                }
                return true
            }
        }
    }
}
