import Locking

/// A value behind a lock, for tests that record what effects do on other threads.
@dynamicMemberLookup
public final class LockIsolated<Value>: Sendable {
    private let state: Lock<UnsafeTransfer<Value>>

    /// Creates a lock around a value.
    public init(_ value: sending @autoclosure () throws -> sending Value) rethrows {
        state = Lock(UnsafeTransfer(try value()))
    }

    /// Runs a closure with exclusive access to the value.
    public func withValue<Result>(
        _ operation: sending (inout sending Value) throws -> sending Result
    ) rethrows -> sending Result {
        let result = try state.withLock { state in
            var value = state.value
            defer { state = UnsafeTransfer(value) }
            return UnsafeTransfer(try operation(&value))
        }
        return result.value
    }

    /// Replaces the value.
    public func setValue(_ newValue: sending @autoclosure () throws -> sending Value) rethrows {
        let value = UnsafeTransfer(try newValue())
        state.withLock { $0 = value }
    }
}

extension LockIsolated where Value: Sendable {
    /// The value.
    public var value: Value { state.withLock { $0.value } }
}

extension LockIsolated {
    /// A member of the value.
    public subscript<Member>(dynamicMember keyPath: KeyPath<Value, Member>) -> sending Member {
        state.withLock { UnsafeTransfer($0.value[keyPath: keyPath]) }.value
    }
}
