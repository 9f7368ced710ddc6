// Errors that the library tolerates and RFC 9113 does not.
extension HTTP2Connection {
    /// Called when the header of a frame has been received.
    func frameBegins(_ kind: BegunFrame, on id: Int32) {
        guard ending == nil else { return }
        switch kind {
        case .head:
            if let code = history.headBegins(on: id, isOpen: find(id) != nil) { end(.protocolViolation(code)) }
        case .settings: queuedBeforeSettings = session.queuedFrames
        case .other: break
        }
    }

    /// Called when the client's settings have been applied, for which one acknowledgement is queued. Further queued
    /// frames are resets of streams whose window exceeded its maximum, which is a connection error (RFC 9113 §6.9.2).
    func settingsWereApplied() {
        if session.queuedFrames > queuedBeforeSettings + 1 { end(.protocolViolation(.flowControlError)) }
    }
}

/// The relevant properties of a frame whose header has been received.
enum BegunFrame {
    case head
    case settings
    case other
}
