import CombineCore

/// A `@Published` property found by reflection.
protocol ReflectedPublished {
    // Copies of the wrapper share their storage, so the copy in a mirror works like the property itself.
    associatedtype Value

    /// The committed value. Setting it publishes the new value.
    var wrappedValue: Value { get nonmutating set }
}

extension Published: ReflectedPublished {}
