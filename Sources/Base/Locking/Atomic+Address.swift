import Synchronization

extension Atomic {
    /// The address of the atomic word. It identifies the word and is never dereferenced.
    var storageAddress: UInt {
        borrowing get {
            // Stable only because every caller stores the atomic in a class instance; an atomic in a local variable
            // could move between two calls.
            withUnsafePointer(to: self) { UInt(bitPattern: $0) }
        }
    }
}
