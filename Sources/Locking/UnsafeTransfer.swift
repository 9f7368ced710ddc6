/// Moves a value that is not `Sendable` to the one thread, event loop or task that uses it from then on.
///
/// The compiler cannot check the condition, hence the name: whoever wraps a value must not use it afterwards, unless
/// everything that it leads to may be used from both places. Apple's schedulers, for example, take closures that are not
/// `@Sendable`; whoever schedules one thereby states that it may run there.
package struct UnsafeTransfer<Value>: @unchecked Sendable {
    // Sendable because of the condition above: after the transfer, only the receiver uses the value.
    package let value: Value

    /// Wraps a value that its current owner does not use afterwards.
    @inlinable
    package init(_ value: Value) {
        self.value = value
    }
}
