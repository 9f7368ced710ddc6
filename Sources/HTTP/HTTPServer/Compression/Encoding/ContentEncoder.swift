/// Encodes content incrementally. An encoder is used for one response or stream at a time. Confined to one thread at a
/// time.
package final class ContentEncoder {
    /// The boundary after the bytes of a call.
    package enum Boundary: Sendable {
        /// More content: output may be delayed.
        case none
        /// A pause: all content so far can be decoded from the output so far.
        case flush
        /// The end. The encoder can be used again only after a reset.
        case finish
    }

    private let engine: any EncodingEngine

    /// Creates an encoder for new content. Its memory is allocated immediately or when the first bytes are encoded.
    package init(_ coding: ContentCoding, settings: ContentEncoderSettings = ContentEncoderSettings()) {
        engine =
            switch coding {
            case .brotli: BrotliEngine(settings)
            case .gzip: GzipEngine(settings)
            }
    }

    /// Encodes bytes and appends the output. After a flush or the end, no output is pending. A flush without new
    /// content may append nothing.
    package func encode(_ bytes: [UInt8], _ boundary: Boundary, into buffer: inout [UInt8]) {
        bytes.withUnsafeBytes { engine.encode($0, boundary, into: &buffer) }
    }

    /// Resets the encoder for other content. Reuses its memory if the library permits it.
    package func reset() { engine.reset() }

    package static func encode(
        _ bytes: [UInt8], _ coding: ContentCoding, settings: ContentEncoderSettings = ContentEncoderSettings()
    ) -> [UInt8] {
        var coded: [UInt8] = []
        coded.reserveCapacity(bytes.count / 3 + 64)
        ContentEncoder(coding, settings: settings).encode(bytes, .finish, into: &coded)
        return coded
    }
}

/// The implementation of an encoder by a library.
protocol EncodingEngine: AnyObject {
    func encode(_ bytes: UnsafeRawBufferPointer, _ boundary: ContentEncoder.Boundary, into buffer: inout [UInt8])
    func reset()
}
