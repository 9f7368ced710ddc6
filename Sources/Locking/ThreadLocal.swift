import Glibc

/// A variable of which every thread has its own, unowned and nil at first.
///
/// It holds a reference without retaining it: whoever sets it keeps the object alive until it is set again. Made for
/// variables that live as long as the process.
public struct ThreadLocal<Object: AnyObject>: @unchecked Sendable {
    // Sendable because the key never changes and every thread has its own value.
    private let key: pthread_key_t

    /// Reserves a slot in every thread; the slot is never given back.
    public init() {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, nil)
        precondition(status == 0, "No slot for a thread-local variable: error \(status)")
        self.key = key
    }

    /// The calling thread's object.
    public var value: Object? {
        get {
            pthread_getspecific(key).map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
        }
        nonmutating set {
            pthread_setspecific(key, newValue.map { Unmanaged.passUnretained($0).toOpaque() })
        }
    }
}
