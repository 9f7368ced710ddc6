/// A target that sets a property of an object on the main actor. The object is not retained.
@MainActor
public struct AsyncBindingTarget<Base: AnyObject & Sendable, Value>: Sendable {
    /// The object, or nil once it was deallocated.
    public weak var base: Base?
    /// The property.
    public let keyPath: ReferenceWritableKeyPath<Base, Value>

    /// Creates a target for a property of `base`.
    public init(base: Base, keyPath: ReferenceWritableKeyPath<Base, Value>) {
        self.base = base
        self.keyPath = keyPath
    }

    /// Sets the property. Returns false if the object was deallocated.
    func set(_ value: Value) -> Bool {
        guard let base else { return false }
        base[keyPath: keyPath] = value
        return true
    }

    var lifetime: Lifetime? { (base as? any LifetimeProviding)?.lifetime }
}
