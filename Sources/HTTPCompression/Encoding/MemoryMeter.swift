/// Counts what a library has allocated for one encoder. The library gets it as its opaque pointer, so it must outlive what
/// the library has; the encoder owns both.
final class MemoryMeter {
    /// Before each block stands how large it is; as wide as the strictest alignment.
    private static let prefix = 16

    private(set) var heldBytes = 0

    /// The pointer to hand to the library.
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
