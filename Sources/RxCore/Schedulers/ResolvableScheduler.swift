import CombineCore

/// A scheduler that may stand for the main queue, which inside a hosted machine is the session's loop.
protocol ResolvableScheduler: SchedulerType {
    /// The scheduler to use where this one was given: asked when an operator is subscribed.
    var resolved: any SchedulerType { get }
}

extension SchedulerType {
    /// The scheduler that an operator uses which was given this one. To be asked when it is subscribed.
    func resolve() -> any SchedulerType {
        (self as? any ResolvableScheduler)?.resolved ?? self
    }
}

extension ImmediateSchedulerType {
    /// The scheduler that an operator uses which was given this one. To be asked when it is subscribed.
    func resolveImmediate() -> any ImmediateSchedulerType {
        (self as? any ResolvableScheduler)?.resolved ?? self
    }
}
