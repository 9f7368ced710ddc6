/// A value of an actor, for tests that record what asynchronous code does.
public actor ActorIsolated<Value> {
    /// The value.
    public private(set) var value: Value

    /// Creates an actor with a value.
    public init(_ value: @autoclosure @Sendable () throws -> Value) rethrows {
        self.value = try value()
    }

    /// Runs a closure with exclusive access to the value.
    public func withValue<Result>(_ operation: @Sendable (inout Value) throws -> Result) rethrows -> Result {
        try operation(&value)
    }

    /// Replaces the value.
    public func setValue(_ newValue: @autoclosure @Sendable () throws -> Value) rethrows {
        value = try newValue()
    }
}
