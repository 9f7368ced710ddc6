/// Why a stream or a connection was ended, as frames say it (RFC 9113 §7).
public struct HTTP2ErrorCode: RawRepresentable, Hashable, Sendable {
    /// The number in the frame; one that the standard does not name counts as ``internalError``.
    public let rawValue: UInt32

    /// A code by its number.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Nothing is wrong.
    public static let noError = HTTP2ErrorCode(rawValue: 0x0)
    /// Something came that the protocol does not have.
    public static let protocolError = HTTP2ErrorCode(rawValue: 0x1)
    /// The sender failed.
    public static let internalError = HTTP2ErrorCode(rawValue: 0x2)
    /// More was sent than the windows allowed.
    public static let flowControlError = HTTP2ErrorCode(rawValue: 0x3)
    /// Settings were not acknowledged in time.
    public static let settingsTimeout = HTTP2ErrorCode(rawValue: 0x4)
    /// A frame came for a stream that had ended.
    public static let streamClosed = HTTP2ErrorCode(rawValue: 0x5)
    /// A frame has a length that its type does not have.
    public static let frameSizeError = HTTP2ErrorCode(rawValue: 0x6)
    /// The stream was not processed and may be tried again.
    public static let refusedStream = HTTP2ErrorCode(rawValue: 0x7)
    /// The stream is not wanted any more.
    public static let cancel = HTTP2ErrorCode(rawValue: 0x8)
    /// Fields cannot be decoded.
    public static let compressionError = HTTP2ErrorCode(rawValue: 0x9)
    /// The peer is too much work.
    public static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 0xB)
}
