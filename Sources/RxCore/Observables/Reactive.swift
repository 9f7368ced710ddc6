/// The namespace `rx` of a type, for extensions that would otherwise clutter the type itself.
@dynamicMemberLookup
public struct Reactive<Base> {
    /// The value that the namespace belongs to.
    public let base: Base

    /// The namespace of `base`.
    public init(_ base: Base) {
        self.base = base
    }

    /// An observer that assigns each element to a property of the object, without retaining it.
    public subscript<Property>(dynamicMember keyPath: ReferenceWritableKeyPath<Base, Property>) -> Binder<Property>
    where Base: AnyObject {
        Binder(base) { base, value in base[keyPath: keyPath] = value }
    }
}

/// A type that has a namespace `rx`.
public protocol ReactiveCompatible {
    /// The type that is extended.
    associatedtype ReactiveBase

    /// The namespace of the type.
    static var rx: Reactive<ReactiveBase>.Type { get set }

    /// The namespace of the instance.
    var rx: Reactive<ReactiveBase> { get set }
}

extension ReactiveCompatible {
    /// The namespace of the type.
    public static var rx: Reactive<Self>.Type {
        get { Reactive<Self>.self }
        // Settable, so that properties of the namespace can be assigned to; there is nothing to keep.
        set { _ = newValue }
    }

    /// The namespace of the instance.
    public var rx: Reactive<Self> {
        get { Reactive(self) }
        set { _ = newValue }
    }
}
