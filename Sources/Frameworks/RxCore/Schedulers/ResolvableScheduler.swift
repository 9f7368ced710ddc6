/// A scheduler for the main queue, which is the session's loop inside a hosted machine.
protocol ResolvableScheduler: SchedulerType {
    /// The scheduler to use in place of this one. Operators read it when they are subscribed.
    var resolved: any SchedulerType { get }
}

extension SchedulerType {
    /// Returns the scheduler to use in place of this one. Operators call it when they are subscribed.
    func resolve() -> any SchedulerType {
        (self as? any ResolvableScheduler)?.resolved ?? self
    }
}

extension ImmediateSchedulerType {
    /// Returns the scheduler to use in place of this one. Operators call it when they are subscribed.
    func resolveImmediate() -> any ImmediateSchedulerType {
        (self as? any ResolvableScheduler)?.resolved ?? self
    }
}
