/// Codes content a part at a time: bytes go in, coded bytes come out. One is for one answer or one stream. Confined to one
/// thread at a time.
public final class ContentEncoder {
    /// What comes behind the bytes of a call.
    public enum Boundary: Sendable {
        /// More of the same: what has come may be kept back.
        case none
        /// A pause: all that has come so far can be decoded from what has come out.
        case flush
        /// The end. Nothing may be encoded afterwards, but after a reset.
        case finish
    }

    /// The coding that comes out.
    public let coding: ContentCoding
    private let engine: any EncodingEngine

    /// An encoder at the start of its content. Its memory is taken now, or at the latest with the first bytes.
    public init(_ coding: ContentCoding, settings: ContentEncoderSettings = ContentEncoderSettings()) {
        self.coding = coding
        engine =
            switch coding {
            case .brotli: BrotliEngine(settings)
            case .gzip: GzipEngine(settings)
            }
    }

    /// The bytes of memory that the library has for it at present.
    public var heldBytes: Int { engine.heldBytes }

    /// Codes these bytes and appends what comes of it. A flush or the end leaves nothing behind; a flush without anything
    /// new may append nothing.
    public func encode(_ bytes: UnsafeRawBufferPointer, _ boundary: Boundary, into buffer: inout [UInt8]) {
        engine.encode(bytes, boundary, into: &buffer)
    }

    /// As ``encode(_:_:into:)-(UnsafeRawBufferPointer,_,_)`` for an array.
    public func encode(_ bytes: [UInt8], _ boundary: Boundary, into buffer: inout [UInt8]) {
        bytes.withUnsafeBytes { engine.encode($0, boundary, into: &buffer) }
    }

    /// Starts anew, for the next content, with the memory that it has where the library can.
    public func reset() { engine.reset() }

    /// Codes content that is all there.
    public static func encode(
        _ bytes: [UInt8], _ coding: ContentCoding, settings: ContentEncoderSettings = ContentEncoderSettings()
    ) -> [UInt8] {
        var coded: [UInt8] = []
        coded.reserveCapacity(bytes.count / 3 + 64)
        ContentEncoder(coding, settings: settings).encode(bytes, .finish, into: &coded)
        return coded
    }
}

/// What a library does for an encoder.
protocol EncodingEngine: AnyObject {
    var heldBytes: Int { get }
    func encode(_ bytes: UnsafeRawBufferPointer, _ boundary: ContentEncoder.Boundary, into buffer: inout [UInt8])
    func reset()
}
