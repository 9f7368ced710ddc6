/// Why the server ended a connection of its own accord.
public enum HTTP2Ending: Hashable, Sendable {
    /// The first bytes are not HTTP/2.
    case preface
    /// Frames that break the protocol (RFC 9113), with the code that the client was told.
    case protocolViolation(HTTP2ErrorCode)
    /// Over ``HTTP2Limits/worklessFrames``.
    case worklessFrames
    /// Over ``HTTP2Limits/resets``.
    case resets
    /// Over ``HTTP2Limits/continuationFrames``.
    case continuationFrames
    /// Over ``HTTP2Limits/headerBlockBytes``.
    case headerBlock
    /// A header block that is far over ``HTTP2Limits/headBytes`` or ``HTTP2Limits/fieldCount`` once decoded.
    case headerList
    /// Over ``HTTP2Limits/queuedFrames``: the client does not read.
    case queuedFrames
    /// The client's preface and settings did not come in time.
    case handshakeTimeout
    /// A header block did not end in time.
    case headTimeout
    /// The client held the connection's window shut.
    case stalled
    /// The library failed, for want of memory.
    case failure
}

extension HTTP2Ending {
    /// What the client is told.
    public var code: HTTP2ErrorCode {
        switch self {
        case .preface: .protocolError
        case .protocolViolation(let code): code
        case .worklessFrames, .resets, .continuationFrames, .headerBlock, .headerList, .queuedFrames: .enhanceYourCalm
        case .handshakeTimeout: .settingsTimeout
        case .headTimeout, .stalled: .enhanceYourCalm
        case .failure: .internalError
        }
    }
}

extension HTTP2Ending: CustomStringConvertible {
    /// For a log: what the client did.
    public var description: String {
        switch self {
        case .preface: "the first bytes are not the preface of HTTP/2"
        case .protocolViolation(let code): "a frame broke the protocol (code \(code.rawValue))"
        case .worklessFrames: "too many frames that brought no work"
        case .resets: "too many streams were reset"
        case .continuationFrames: "a header block in too many frames"
        case .headerBlock: "a header block over the configured size"
        case .headerList: "a header block far over the configured size once decoded"
        case .queuedFrames: "too many frames wait for a client that does not read"
        case .handshakeTimeout: "the preface or the settings did not come in time"
        case .headTimeout: "a header block did not end in time"
        case .stalled: "the client held the connection's window shut"
        case .failure: "no memory"
        }
    }
}
