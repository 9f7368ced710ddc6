import COpenSSL
import Glibc

/// Bytes that are erased when they are freed, and that no description, mirror or log shows.
// The memory is written before the initializer returns and only read afterwards, until `deinit`.
package final class SecretBytes: @unchecked Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let storage: UnsafeMutableRawBufferPointer

    private init(count: Int) {
        storage = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    }

    /// Creates a secret from bytes. The caller's bytes are not erased.
    package convenience init(copying bytes: some Collection<UInt8>) {
        self.init(count: bytes.count)
        storage.copyBytes(from: bytes)
    }

    /// Creates a secret from bytes, and erases them.
    package convenience init(moving bytes: inout [UInt8]) {
        self.init(copying: bytes)
        SecretBytes.erase(&bytes)
    }

    /// Creates a secret whose bytes a closure writes.
    convenience init(count: Int, writtenBy body: (UnsafeMutableRawBufferPointer) -> Void) {
        self.init(count: count)
        storage.initializeMemory(as: UInt8.self, repeating: 0)
        body(storage)
    }

    deinit {
        OPENSSL_cleanse(storage.baseAddress, storage.count)
        storage.deallocate()
    }

    package static func random(count: Int = 32) -> SecretBytes {
        SecretBytes(count: count) { bytes in
            let isRandom = RAND_bytes(bytes.bindMemory(to: UInt8.self).baseAddress, Int32(count)) == 1
            // Not a precondition: an unchecked build would continue with a key of zeros.
            if !isRandom { abort() }
        }
    }

    /// Overwrites bytes with zeros, in a way that the compiler does not remove, and removes them.
    package static func erase(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
        bytes.removeAll()
    }

    package var count: Int { storage.count }

    /// Calls a closure with the bytes, which are valid inside the closure only.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(storage))
    }

    /// Returns whether other bytes are the same, in a time that depends only on their number.
    package func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        guard other.count == count else { return false }
        // `CRYPTO_memcmp` compares byte by byte, which takes eight times as long for the token of a request.
        let wordCount = count & ~7
        var difference: UInt64 = 0
        var offset = 0
        while offset < wordCount {
            difference |=
                storage.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                ^ other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        while offset < count {
            difference |= UInt64(storage[offset] ^ other[offset])
            offset &+= 1
        }
        return difference == 0
    }

    package var description: String { "\(count) secret bytes" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
