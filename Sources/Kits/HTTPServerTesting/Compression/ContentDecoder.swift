import CBrotli
import CZlib
package import HTTPServer

/// Decodes content that a test trusts incrementally: its size is not limited. Confined to one thread at a time.
package final class ContentDecoder {
    private enum Engine {
        case brotli(OpaquePointer)
        case gzip(UnsafeMutablePointer<z_stream>)
    }

    private static let room = 8 << 10
    /// Added to the window size, this selects the gzip format.
    private static let gzipWrapping: Int32 = 16

    private let engine: Engine
    /// Whether the content is complete. Any byte after it is an error.
    package private(set) var isFinished = false

    package init(_ coding: ContentCoding) {
        switch coding {
        case .brotli:
            guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else {
                preconditionFailure("memory is exhausted: no brotli decoder")
            }
            engine = .brotli(state)
        case .gzip:
            let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
            stream.initialize(to: z_stream())
            let result = inflateInit2_(
                stream, MAX_WBITS + ContentDecoder.gzipWrapping, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
            precondition(result == Z_OK, "memory is exhausted: no gzip decoder")
            engine = .gzip(stream)
        }
    }

    deinit {
        switch engine {
        case .brotli(let state): BrotliDecoderDestroyInstance(state)
        case .gzip(let stream):
            inflateEnd(stream)
            stream.deallocate()
        }
    }

    /// Decodes bytes and appends all content that is available so far.
    ///
    /// - Throws: An error, after which the decoder cannot be used.
    package func decode(_ bytes: [UInt8], into buffer: inout [UInt8]) throws(ContentDecodingError) {
        guard !bytes.isEmpty else { return }
        guard !isFinished else { throw .malformed }
        let result = bytes.withUnsafeBytes { all -> Result<Void, ContentDecodingError> in
            var source = all
            while true {
                switch step(&source, into: &buffer) {
                case .more: continue
                case .starved: return .success(())
                case .end:
                    isFinished = true
                    return source.isEmpty ? .success(()) : .failure(.malformed)
                case .broken: return .failure(.malformed)
                }
            }
        }
        try result.get()
    }

    package static func decode(_ bytes: [UInt8], _ coding: ContentCoding) throws(ContentDecodingError) -> [UInt8] {
        let decoder = ContentDecoder(coding)
        var content: [UInt8] = []
        try decoder.decode(bytes, into: &content)
        guard decoder.isFinished else { throw .truncated }
        return content
    }

    private enum Step {
        case more
        case starved
        case end
        case broken
    }

    private func step(_ source: inout UnsafeRawBufferPointer, into buffer: inout [UInt8]) -> Step {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: ContentDecoder.room) { room in
            var next = source.assumingMemoryBound(to: UInt8.self).baseAddress
            var left = source.count
            let (step, free) =
                switch engine {
                case .brotli(let state): ContentDecoder.stepBrotli(state, &next, &left, room)
                case .gzip(let stream): ContentDecoder.stepGzip(stream, &next, &left, room)
                }
            source = UnsafeRawBufferPointer(rebasing: source[(source.count - left)...])
            buffer.append(contentsOf: room[..<(room.count - free)])
            return step
        }
    }

    private static func stepBrotli(
        _ state: OpaquePointer, _ next: inout UnsafePointer<UInt8>?, _ left: inout Int,
        _ room: UnsafeMutableBufferPointer<UInt8>
    ) -> (Step, free: Int) {
        var free = room.count
        var output = room.baseAddress
        let result = BrotliDecoderDecompressStream(state, &left, &next, &free, &output, nil)
        switch result {
        case BROTLI_DECODER_RESULT_SUCCESS: return (.end, free)
        case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: return (.more, free)
        case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: return (.starved, free)
        default: return (.broken, free)
        }
    }

    private static func stepGzip(
        _ stream: UnsafeMutablePointer<z_stream>, _ next: inout UnsafePointer<UInt8>?, _ left: inout Int,
        _ room: UnsafeMutableBufferPointer<UInt8>
    ) -> (Step, free: Int) {
        // The library does not modify its input, although its interface lacks `const`.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: next)
        stream.pointee.avail_in = UInt32(left)
        stream.pointee.next_out = room.baseAddress
        stream.pointee.avail_out = UInt32(room.count)
        let result = inflate(stream, Z_SYNC_FLUSH)
        left = Int(stream.pointee.avail_in)
        let free = Int(stream.pointee.avail_out)
        switch result {
        case Z_STREAM_END: return (.end, free)
        case Z_OK, Z_BUF_ERROR: return (free == 0 ? .more : .starved, free)
        default: return (.broken, free)
        }
    }
}

/// The reason why content could not be decoded.
package enum ContentDecodingError: Error, Hashable, Sendable {
    /// The bytes are not valid for the coding, or there are bytes after the end.
    case malformed
    case truncated
}
