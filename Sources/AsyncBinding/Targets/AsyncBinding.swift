public import Foundation

/// A type whose objects can be bound to: `label.asyncBinding.bind(\.text) <~ values`.
public protocol AsyncBindingExtensionsProvider {}

extension AsyncBindingExtensionsProvider {
    /// Where the properties of this object are chosen for binding.
    public var asyncBinding: AsyncBinding<Self> {
        AsyncBinding(self)
    }
}

extension NSObject: AsyncBindingExtensionsProvider {}

/// Chooses what of an object is bound.
public struct AsyncBinding<Base> {
    /// The object.
    public let base: Base

    /// Chooses of this object.
    public init(_ base: Base) {
        self.base = base
    }
}

extension AsyncBinding: Sendable where Base: Sendable {}

extension AsyncBinding where Base: AnyObject & Sendable {
    /// A property that is set on the main actor. The object is not retained.
    @MainActor
    public func bind<Value>(_ keyPath: ReferenceWritableKeyPath<Base, Value>) -> AsyncBindingTarget<Base, Value> {
        AsyncBindingTarget(base: base, keyPath: keyPath)
    }

    /// A property that is set on a global actor. The object is not retained. To be called on that actor, where alone such a
    /// key path can be written; anywhere else it stops the process.
    public func bind<A: GlobalActor, Value: Sendable>(
        _ keyPath: ReferenceWritableKeyPath<Base, Value>, on actor: A.Type
    ) -> ActorBindingTarget<Value> {
        let guardian: any Actor = A.shared
        guardian.preconditionIsolated("a property is bound on the actor that guards it")
        let place = GuardedProperty(base: base, keyPath: keyPath)
        return ActorBindingTarget(lifetime: (base as? any LifetimeProviding)?.lifetime) { value, isLive in
            await place.set(value, if: isLive, on: guardian)
        }
    }
}

extension AsyncBinding where Base: Actor {
    /// What the closure does with a value, on the actor. The actor is not retained.
    public func bind<Value: Sendable>(_ assign: @escaping @Sendable (isolated Base, Value) -> Void)
        -> ActorBindingTarget<Value>
    {
        ActorBindingTarget(lifetime: (base as? any LifetimeProviding)?.lifetime) { [weak base] value, isLive in
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

/// A property of an object that a global actor guards.
///
/// Sendable because the key path was written on the actor, and is used nowhere else; key paths themselves never change.
private struct GuardedProperty<Base: AnyObject & Sendable, Value: Sendable>: @unchecked Sendable {
    weak var base: Base?
    let keyPath: ReferenceWritableKeyPath<Base, Value>

    func set(_ value: Value, if isLive: @Sendable () -> Bool, on guardian: isolated any Actor) -> Bool {
        guard let base else { return false }
        if isLive() { base[keyPath: keyPath] = value }
        return true
    }
}
