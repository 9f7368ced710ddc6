import Glibc

/// A namespace for the identity of threads.
public enum ThreadIdentity {
    /// A number that identifies the calling thread among all running threads. It is never 0, and its two lowest bits
    /// are clear.
    public static var current: UInt {
        // With glibc this is the address of the thread's control block, which is aligned to far more than four bytes.
        // ``Gate`` keeps its flags in the two free bits.
        UInt(pthread_self())
    }
}
