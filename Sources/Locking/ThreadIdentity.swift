import Glibc

/// Tells threads apart.
public enum ThreadIdentity {
    /// A number that no other running thread has; never 0, and its two lowest bits are clear.
    public static var current: UInt {
        UInt(pthread_self())
    }
}
