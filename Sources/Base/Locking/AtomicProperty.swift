public import Synchronization

/// An atomic value for a stored property of a class, or of a noncopyable value inside one.
///
/// Use it instead of `Atomic` where the class is visible to other modules.
@frozen
public struct AtomicProperty<Value: AtomicRepresentable>: ~Copyable {
    /// The atomic value.
    public let atomic: Atomic<Value>

    /// Creates a property with an initial value.
    @inlinable
    public init(_ initialValue: consuming Value) {
        atomic = Atomic(initialValue)
    }

    // This empty `deinit` avoids a crash of the compiler, last seen in Swift 6.3.1 on Linux, in release builds only.
    // Without it, the destructor of a generic class that stores an `Atomic` may be copied into a client module
    // (`-enable-default-cmo`), where the pass CopyPropagation stops with "Found ownership error?!". To reproduce: a module
    // with an internal, inlinable generic class that stores a frozen noncopyable struct around an `Atomic`, and a public
    // inlinable function that creates an instance; a second module that calls the function; `swift build -c release`.
    // A value with a `deinit` is destroyed by a call, which the pass understands and the inliner removes. Copies of the
    // destructors stay possible, so that clients can specialize and even stack-allocate such objects. To try whether
    // the line is still needed, remove it and build the package and the product `combine-bench` for release.
    @inlinable deinit {}
}

extension AtomicProperty: Sendable where Value: Sendable {}
