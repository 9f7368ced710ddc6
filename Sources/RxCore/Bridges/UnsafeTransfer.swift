/// A box that passes a value to another thread, for Rx interfaces that do not require `Sendable`.
///
/// Unchecked because Rx leaves it to the program to use its values and closures only from threads that may use them.
struct UnsafeTransfer<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
