import Locking
public import StateCapture

// An edge is captured for one reason: it may be cancelled before its subscription arrives, so that nothing upstream has
// ended.

extension ValueSink: StatefulPart {
    @usableFromInline static var partName: StaticString { "sink" }

    @usableFromInline var partState: LiveState? { lock.withLock { onValue == nil } ? nil : LiveState() }

    @usableFromInline
    func restore(_ state: LiveState?) {
        if state == nil { cancel() }
    }
}

extension Subscribers.Sink: StatefulPart {
    /// The name of the subscriber.
    public static var partName: StaticString { "sink" }

    /// A state without content; nil once the stream has ended or was cancelled.
    public var partState: StoredEnd<Never>? { lock.withLock { onValue == nil } ? nil : StoredEnd() }

    /// Cancels the subscriber if it had ended.
    public func restore(_ state: StoredEnd<Never>?) {
        if state == nil { cancel() }
    }
}

extension Subscribers.Assign: StatefulPart {
    /// The name of the subscriber.
    public static var partName: StaticString { "assign" }

    /// A state without content; nil once the stream has ended or was cancelled.
    public var partState: StoredEnd<Never>? { object == nil ? nil : StoredEnd() }

    /// Cancels the subscriber if it had ended.
    public func restore(_ state: StoredEnd<Never>?) {
        if state == nil { cancel() }
    }
}
