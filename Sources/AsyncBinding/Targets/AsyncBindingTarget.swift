/// A property of an object that is set on the main actor. The object is not retained.
@MainActor
public struct AsyncBindingTarget<Base: AnyObject & Sendable, Value>: Sendable {
    /// The object, while it lives.
    public weak var base: Base?
    /// The property.
    public let keyPath: ReferenceWritableKeyPath<Base, Value>

    /// A property of `base`.
    public init(base: Base, keyPath: ReferenceWritableKeyPath<Base, Value>) {
        self.base = base
        self.keyPath = keyPath
    }

    /// Sets the property, unless the object is gone.
    func set(_ value: Value) -> Bool {
        guard let base else { return false }
        base[keyPath: keyPath] = value
        return true
    }

    var lifetime: Lifetime? { (base as? any LifetimeProviding)?.lifetime }
}
