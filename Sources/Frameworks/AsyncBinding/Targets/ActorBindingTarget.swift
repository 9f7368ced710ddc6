/// A target whose values are assigned on an actor: a global actor or an actor instance. The object is not retained.
public struct ActorBindingTarget<Value: Sendable>: Sendable {
    let lifetime: Lifetime?
    /// Assigns a value on the actor if the binding is active, which it checks there. Returns false if the object was
    /// deallocated.
    let assign: @Sendable (_ value: Value, _ isLive: @Sendable () -> Bool) async -> Bool

    init(
        lifetime: Lifetime?,
        assign: @escaping @Sendable (_ value: Value, _ isLive: @Sendable () -> Bool) async -> Bool
    ) {
        self.lifetime = lifetime
        self.assign = assign
    }
}
