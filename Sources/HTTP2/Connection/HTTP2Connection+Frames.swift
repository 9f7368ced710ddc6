// What the library lets pass and RFC 9113 does not.
extension HTTP2Connection {
    /// The head of a frame has come, and is worked on.
    func frameBegins(_ kind: BegunFrame, on id: Int32) {
        guard ending == nil else { return }
        switch kind {
        case .head:
            if let code = history.headBegins(on: id, isOpen: find(id) != nil) { end(.protocolViolation(code)) }
        case .settings: queuedBeforeSettings = session.queuedFrames
        case .other: break
        }
    }

    /// The client's settings have been applied, for which one frame goes out. More are resets of streams whose window they
    /// carried over its largest, which is an error of the connection (RFC 9113 §6.9.2).
    func settingsWereApplied() {
        if session.queuedFrames > queuedBeforeSettings + 1 { end(.protocolViolation(.flowControlError)) }
    }
}

/// What a connection needs to know of a frame before it has come whole.
enum BegunFrame {
    case head
    case settings
    case other
}
