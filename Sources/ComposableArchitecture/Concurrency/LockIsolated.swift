import Locking

/// A value behind a lock, for tests that record what effects do on other threads.
@dynamicMemberLookup
public final class LockIsolated<Value>: Sendable {
    private let state: Lock<UnsafeTransfer<Value>>

    /// Creates a lock around a value.
    public init(_ value: @autoclosure @Sendable () throws -> Value) rethrows {
        state = Lock(UnsafeTransfer(try value()))
    }

    /// Runs a closure with exclusive access to the value.
    public func withValue<Result: Sendable>(
        _ operation: @Sendable (inout Value) throws -> Result
    ) rethrows -> Result {
        try state.withLock { state in
            var value = state.value
            defer { state = UnsafeTransfer(value) }
            return try operation(&value)
        }
    }

    /// Replaces the value.
    public func setValue(_ newValue: @autoclosure @Sendable () throws -> Value) rethrows {
        let value = UnsafeTransfer(try newValue())
        state.withLock { $0 = value }
    }
}

extension LockIsolated where Value: Sendable {
    /// The value.
    public var value: Value { state.withLock { $0.value } }

    /// A member of the value.
    public subscript<Member: Sendable>(dynamicMember keyPath: KeyPath<Value, Member>) -> Member {
        state.withLock { $0.value[keyPath: keyPath] }
    }
}
