import CZlib

/// zlib's deflate with the gzip format.
final class GzipEngine: EncodingEngine {
    /// The number of bytes that the library writes at a time.
    private static let room = 8 << 10
    /// Added to the window size, this selects the gzip format.
    private static let gzipWrapping: Int32 = 16

    private let stream: UnsafeMutablePointer<z_stream>

    init(_ settings: ContentEncoderSettings) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let result = deflateInit2_(
            stream, Int32(min(max(settings.gzipLevel, 1), 9)), Z_DEFLATED,
            settings.windowBits(9...15) + GzipEngine.gzipWrapping, Int32(min(max(settings.gzipMemory, 1), 9)),
            Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(result == Z_OK, "memory is exhausted: no gzip encoder")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    func encode(_ bytes: UnsafeRawBufferPointer, _ boundary: ContentEncoder.Boundary, into buffer: inout [UInt8]) {
        let flush =
            switch boundary {
            case .none: Z_NO_FLUSH
            case .flush: Z_SYNC_FLUSH
            case .finish: Z_FINISH
            }
        // The library does not modify its input, although its interface lacks `const`.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(bytes.count)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: GzipEngine.room) { room in
            repeat {
                stream.pointee.next_out = room.baseAddress
                stream.pointee.avail_out = UInt32(room.count)
                let result = deflate(stream, flush)
                precondition(result != Z_STREAM_ERROR, "an encoder was used after its end")
                buffer.append(contentsOf: room[..<(room.count - Int(stream.pointee.avail_out))])
                // A full buffer means that there may be more output.
            } while stream.pointee.avail_out == 0
        }
        // The state outlives this call, but the memory that it points to does not.
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
    }

    func reset() { deflateReset(stream) }
}
