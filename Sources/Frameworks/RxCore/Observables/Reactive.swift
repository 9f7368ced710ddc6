/// The namespace `rx` of a type. Extensions add members to it instead of to the type itself.
@dynamicMemberLookup
public struct Reactive<Base> {
    /// The value that the namespace belongs to.
    public let base: Base

    /// Creates a namespace for `base`.
    public init(_ base: Base) {
        self.base = base
    }

    /// An observer that assigns each element to a property of the object, which is not retained.
    public subscript<Property>(dynamicMember keyPath: ReferenceWritableKeyPath<Base, Property>) -> Binder<Property>
    where Base: AnyObject {
        Binder(base) { base, value in base[keyPath: keyPath] = value }
    }
}

/// A type with a namespace `rx`.
public protocol ReactiveCompatible {
    /// The type that the namespace extends.
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
        // The setter does nothing. It exists because assigning to a property of the namespace, as in `label.rx.text =
        // …`, requires a settable `rx`.
        set { _ = newValue }
    }

    /// The namespace of the instance.
    public var rx: Reactive<Self> {
        get { Reactive(self) }
        set { _ = newValue }
    }
}
