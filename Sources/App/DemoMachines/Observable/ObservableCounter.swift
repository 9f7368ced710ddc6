public import Observation

/// The smallest machine: an observable class with a property and two methods. Nothing in it is about hosting.
@Observable
public final class ObservableCounter {
    /// The count, never negative.
    public private(set) var count = 0

    /// Creates a counter at zero.
    public init() {}

    /// Increments the count.
    public func increment() { count += 1 }

    /// Decrements the count, but not below zero.
    public func decrement() { count = max(count - 1, 0) }
}
