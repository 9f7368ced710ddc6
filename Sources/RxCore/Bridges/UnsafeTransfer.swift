/// Carries a value to another thread, for interfaces of Rx that promise nothing about the types that they are given.
///
/// Unchecked because Rx leaves it to the program what its values and closures may be used from.
struct UnsafeTransfer<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
