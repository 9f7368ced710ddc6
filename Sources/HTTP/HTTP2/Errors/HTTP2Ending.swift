/// The reason why one side ended a connection.
public enum HTTP2Ending: Hashable, Sendable {
    /// The first bytes are not HTTP/2.
    case preface
    /// Frames that violate the protocol (RFC 9113), with the error code that was sent.
    case protocolViolation(HTTP2ErrorCode)
    /// ``HTTP2Limits/worklessFrames`` was exceeded.
    case worklessFrames
    /// ``HTTP2Limits/resets`` was exceeded.
    case resets
    /// ``HTTP2Limits/continuationFrames`` was exceeded.
    case continuationFrames
    /// ``HTTP2Limits/headerBlockBytes`` was exceeded.
    case headerBlock
    /// A decoded header block far exceeds ``HTTP2Limits/headBytes`` or ``HTTP2Limits/fieldCount``.
    case headerList
    /// ``HTTP2Limits/queuedFrames`` was exceeded: the peer does not read.
    case queuedFrames
    /// The peer's settings, or the client's preface, did not arrive in time.
    case handshakeTimeout
    /// A header block did not end in time.
    case headTimeout
    /// The client kept the connection's window closed.
    case stalled
    /// The server did not respond to a ping in time.
    case unresponsive
    /// The library failed because memory is exhausted.
    case failure
}

extension HTTP2Ending {
    /// The error code that is sent to the peer.
    public var code: HTTP2ErrorCode {
        switch self {
        case .preface: .protocolError
        case .protocolViolation(let code): code
        case .worklessFrames, .resets, .continuationFrames, .headerBlock, .headerList, .queuedFrames: .enhanceYourCalm
        case .handshakeTimeout: .settingsTimeout
        case .headTimeout, .stalled: .enhanceYourCalm
        case .unresponsive: .noError
        case .failure: .internalError
        }
    }
}

extension HTTP2Ending: CustomStringConvertible {
    /// The peer's behaviour, for the log.
    public var description: String {
        switch self {
        case .preface: "the first bytes are not the HTTP/2 preface"
        case .protocolViolation(let code): "a frame violated the protocol (code \(code.rawValue))"
        case .worklessFrames: "too many frames that caused no work"
        case .resets: "too many streams were reset"
        case .continuationFrames: "a header block has too many frames"
        case .headerBlock: "a header block exceeds the configured size"
        case .headerList: "a decoded header block far exceeds the configured size"
        case .queuedFrames: "too many frames are queued for a peer that does not read"
        case .handshakeTimeout: "the preface or the settings did not arrive in time"
        case .headTimeout: "a header block did not end in time"
        case .stalled: "the client kept the connection's window closed"
        case .unresponsive: "the server did not respond to a ping in time"
        case .failure: "memory is exhausted"
        }
    }
}
