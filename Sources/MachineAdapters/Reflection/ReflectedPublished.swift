import CombineCore

/// A `@Published` property that was found by reflection. Copies of the wrapper share their storage, so that the copy that
/// a mirror makes is as good as the property.
protocol ReflectedPublished {
    associatedtype Value

    /// The committed value; setting it publishes.
    var wrappedValue: Value { get nonmutating set }
    /// The stream of values.
    var projectedValue: Published<Value>.Publisher { get }
}

extension Published: ReflectedPublished {}
