import Synchronization

extension Atomic {
    /// The address of the atomic word, for hashing only; stable while the word lies in a class instance.
    var storageAddress: UInt {
        borrowing get {
            withUnsafePointer(to: self) { UInt(bitPattern: $0) }
        }
    }
}
