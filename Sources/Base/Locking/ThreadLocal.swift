public import Glibc

/// A variable with a separate value for each thread, initially nil.
///
/// The variable does not retain its object: the code that sets it keeps the object alive until it sets the variable
/// again. It is intended for variables that live as long as the process.
public struct ThreadLocal<Object: AnyObject>: @unchecked Sendable {
    // Sendable because the key never changes and every thread has its own value.
    @usableFromInline let key: pthread_key_t

    /// Reserves a slot in every thread. The slot is never released.
    public init() {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, nil)
        precondition(status == 0, "Could not create a thread-local variable: error \(status)")
        self.key = key
    }

    /// The object of the calling thread.
    @inlinable public var value: Object? {
        get {
            // Not `Optional.map`: in clients the compiler does not specialize it here, and it then looks up metadata on
            // each access (3 % of the user time of a round trip). `Unmanaged` because the slot stores a bare pointer;
            // see the type's comment on who retains the object.
            guard let object = pthread_getspecific(key) else { return nil }
            return Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
        }
        nonmutating set {
            if let newValue {
                pthread_setspecific(key, Unmanaged.passUnretained(newValue).toOpaque())
            } else {
                pthread_setspecific(key, nil)
            }
        }
    }
}
