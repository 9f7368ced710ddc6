public import Glibc

/// A variable of which every thread has its own, unowned and nil at first.
///
/// It holds a reference without retaining it: whoever sets it keeps the object alive until it is set again. Made for
/// variables that live as long as the process.
public struct ThreadLocal<Object: AnyObject>: @unchecked Sendable {
    // Sendable because the key never changes and every thread has its own value.
    @usableFromInline let key: pthread_key_t

    /// Reserves a slot in every thread; the slot is never given back.
    public init() {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, nil)
        precondition(status == 0, "No slot for a thread-local variable: error \(status)")
        self.key = key
    }

    /// The calling thread's object.
    @inlinable public var value: Object? {
        get {
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
