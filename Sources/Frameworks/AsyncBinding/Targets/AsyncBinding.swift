public import Foundation

/// A type whose objects can be targets of bindings: `label.asyncBinding.bind(\.text) <~ values`.
public protocol AsyncBindingExtensionsProvider {}

extension AsyncBindingExtensionsProvider {
    /// The namespace of the object's binding targets.
    public var asyncBinding: AsyncBinding<Self> {
        AsyncBinding(self)
    }
}

extension NSObject: AsyncBindingExtensionsProvider {}

/// The namespace of an object's binding targets.
public struct AsyncBinding<Base> {
    /// The object that the namespace belongs to.
    public let base: Base

    /// Creates a namespace for `base`.
    public init(_ base: Base) {
        self.base = base
    }
}

extension AsyncBinding: Sendable where Base: Sendable {}

extension AsyncBinding where Base: AnyObject & Sendable {
    /// Returns a target that sets a property on the main actor. The object is not retained.
    @MainActor
    public func bind<Value>(_ keyPath: ReferenceWritableKeyPath<Base, Value>) -> AsyncBindingTarget<Base, Value> {
        AsyncBindingTarget(base: base, keyPath: keyPath)
    }

    /// Returns a target that sets a property on a global actor. The object is not retained.
    ///
    /// - Precondition: The caller runs on that actor. Only there can the key path be written.
    public func bind<A: GlobalActor, Value: Sendable>(
        _ keyPath: ReferenceWritableKeyPath<Base, Value>, on actor: A.Type
    ) -> ActorBindingTarget<Value> {
        let isolator: any Actor = A.shared
        isolator.preconditionIsolated("expected to run on the actor that isolates the property")
        let property = IsolatedProperty(base: base, keyPath: keyPath)
        return ActorBindingTarget(lifetime: (base as? any LifetimeProviding)?.lifetime) { value, isLive in
            await property.set(value, if: isLive, on: isolator)
        }
    }
}

extension AsyncBinding where Base: Actor {
    /// Returns a target that passes each value to the closure on the actor. The actor is not retained.
    public func bind<Value: Sendable>(_ assign: @escaping @Sendable (isolated Base, Value) -> Void)
        -> ActorBindingTarget<Value>
    {
        ActorBindingTarget(lifetime: (base as? any LifetimeProviding)?.lifetime) { [weak base] value, isLive in
            // Retained only for this call, so that a binding does not keep the actor alive between values.
            guard let base else { return false }
            await AsyncBinding.assign(value, if: isLive, to: base, assign)
            return true
        }
    }

    private static func assign<Value: Sendable>(
        _ value: Value, if isLive: @Sendable () -> Bool, to base: isolated Base,
        _ assign: @Sendable (isolated Base, Value) -> Void
    ) {
        if isLive() { assign(base, value) }
    }
}

/// A property that is isolated to a global actor.
///
/// Unchecked because the key path was written on the actor and is used only there. Key paths are immutable.
private struct IsolatedProperty<Base: AnyObject & Sendable, Value: Sendable>: @unchecked Sendable {
    weak var base: Base?
    let keyPath: ReferenceWritableKeyPath<Base, Value>

    func set(_ value: Value, if isLive: @Sendable () -> Bool, on isolator: isolated any Actor) -> Bool {
        guard let base else { return false }
        if isLive() { base[keyPath: keyPath] = value }
        return true
    }
}
