/// Counts the memory that a library allocates for an encoder. The library holds an unretained pointer to the meter, so
/// the meter must outlive the library's state. The encoder owns both.
final class MemoryMeter {
    /// The size of the prefix of each block, which stores the block's size. As large as the strictest alignment, so
    /// that the block itself stays aligned.
    private static let prefix = 16

    private(set) var heldBytes = 0

    /// The pointer for the library.
    var opaque: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func allocate(_ opaque: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutableRawPointer? {
        let block = UnsafeMutableRawPointer.allocate(byteCount: count + prefix, alignment: prefix)
        block.storeBytes(of: count, as: Int.self)
        meter(opaque)?.heldBytes += count + prefix
        return block + prefix
    }

    static func free(_ opaque: UnsafeMutableRawPointer?, _ pointer: UnsafeMutableRawPointer?) {
        guard let pointer else { return }
        let block = pointer - prefix
        meter(opaque)?.heldBytes -= block.load(as: Int.self) + prefix
        block.deallocate()
    }

    private static func meter(_ opaque: UnsafeMutableRawPointer?) -> MemoryMeter? {
        opaque.map { Unmanaged<MemoryMeter>.fromOpaque($0).takeUnretainedValue() }
    }
}
