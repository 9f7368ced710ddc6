/// The reason in a frame that ends a stream or a connection (RFC 9113 §7).
public struct HTTP2ErrorCode: RawRepresentable, Hashable, Sendable {
    /// The number in the frame. Numbers that the standard does not define count as ``internalError``.
    public let rawValue: UInt32

    /// Creates a code from its number.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// No error.
    public static let noError = HTTP2ErrorCode(rawValue: 0x0)
    /// A violation of the protocol.
    public static let protocolError = HTTP2ErrorCode(rawValue: 0x1)
    /// An internal error of the sender.
    public static let internalError = HTTP2ErrorCode(rawValue: 0x2)
    /// The peer has exceeded a flow-control window.
    public static let flowControlError = HTTP2ErrorCode(rawValue: 0x3)
    /// Settings were not acknowledged in time.
    public static let settingsTimeout = HTTP2ErrorCode(rawValue: 0x4)
    /// A frame arrived for a closed stream.
    public static let streamClosed = HTTP2ErrorCode(rawValue: 0x5)
    /// A frame has an invalid length for its type.
    public static let frameSizeError = HTTP2ErrorCode(rawValue: 0x6)
    /// The stream was not processed and may be tried again.
    public static let refusedStream = HTTP2ErrorCode(rawValue: 0x7)
    /// The stream is not needed any more.
    public static let cancel = HTTP2ErrorCode(rawValue: 0x8)
    /// The header compression state cannot be maintained.
    public static let compressionError = HTTP2ErrorCode(rawValue: 0x9)
    /// The peer causes excessive load.
    public static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 0xB)
}
