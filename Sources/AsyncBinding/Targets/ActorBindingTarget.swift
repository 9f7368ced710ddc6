/// What is done with a value on an actor: a global one, or an actor instance. What it is done to is not retained.
public struct ActorBindingTarget<Value: Sendable>: Sendable {
    let lifetime: Lifetime?
    /// Asked on the actor whether the binding is live; gives whether there still is something to do it to.
    let assign: @Sendable (_ value: Value, _ isLive: @Sendable () -> Bool) async -> Bool

    init(
        lifetime: Lifetime?,
        assign: @escaping @Sendable (_ value: Value, _ isLive: @Sendable () -> Bool) async -> Bool
    ) {
        self.lifetime = lifetime
        self.assign = assign
    }
}
