#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

// The C library compares 32 bytes at a time, which matters for targets, tokens and cookies of hundreds of bytes.
extension UnsafeRawBufferPointer {
    /// Returns the offset of the first occurrence of a byte at or after an offset, or nil if none exists.
    package func firstOffset(of wanted: UInt8, from start: Int = 0) -> Int? {
        guard let base = baseAddress, start < count,
            let found = memchr(base + start, Int32(wanted), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    /// Returns whether the bytes begin with a text.
    package func starts(with text: StaticString) -> Bool {
        guard let base = baseAddress, count >= text.utf8CodeUnitCount else { return text.utf8CodeUnitCount == 0 }
        return memcmp(base, text.utf8Start, text.utf8CodeUnitCount) == 0
    }
}
