/// Keeps the `deinit` of a class that stores an `Atomic` or a ``WordLock`` from being copied into client modules.
///
/// Call it in that `deinit`. In release builds, cross-module optimization copies a short `deinit` into the modules that
/// use the class, and the compiler (seen in Swift 6.3.1 on Linux) then crashes on the noncopyable stored property. A
/// `deinit` that calls a function without a copyable body is not copied. `@_optimize(none)` keeps the call itself from
/// being removed. Try to remove the function when the toolchain changes: build with `-c release`.
@_optimize(none)
@inline(never)
public func stayOutOfClients() {}
