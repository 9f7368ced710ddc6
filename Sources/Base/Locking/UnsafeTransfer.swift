/// A wrapper that moves a value that is not `Sendable` to the one thread, event loop or task that uses it from then on.
///
/// The compiler cannot check this, hence the name: after wrapping a value, its previous owner must not use it, unless
/// everything reachable from it may be used from both places. For example, Apple's schedulers take closures that are
/// not `@Sendable`; code that schedules such a closure asserts that it may run there.
package struct UnsafeTransfer<Value>: @unchecked Sendable {
    // Sendable because of the condition above: after the transfer, only the receiver uses the value.
    package let value: Value

    /// Wraps `value`, which its current owner does not use afterwards.
    @inlinable
    package init(_ value: Value) {
        self.value = value
    }
}
