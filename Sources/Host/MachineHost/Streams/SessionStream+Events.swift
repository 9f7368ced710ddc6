import HTTPModel
import JSONText

// The events of a stream.
extension SessionStream {
    /// Appends the next part: events from the history, or a snapshot if the history does not reach back far enough.
    func advance(_ session: Session, limit: Int, into buffer: inout [UInt8]) {
        assert(
            cursor < session.releasedVersion,
            "expected a released change after version \(cursor), got \(session.releasedVersion)")
        let former = cursor
        defer { assert(cursor > former, "expected a version after \(former), got \(cursor)") }
        guard session.history.reaches(backTo: cursor) else { return appendSnapshot(session, to: &buffer) }
        if let change = session.history.largeChange(of: cursor + 1) {
            cursor += 1
            guard let filter else { return read(change.text) }
            if let text = change.text(passing: filter, at: session.position(cursor, for: filter)) { read(text) }
            return
        }
        guard let filter else {
            let (cursor, released) = (cursor, session.releasedVersion)
            self.cursor = session.history.copy(after: cursor, upTo: released, limit: limit, into: &buffer)
            return
        }
        var event: [UInt8] = []
        cursor = session.history.copy(after: cursor, limit: 1, into: &event)
        appendFiltered(event, filter, at: session.position(cursor, for: filter), to: &buffer)
    }

    /// Appends a snapshot of the current outputs. Appends nothing if the session has ended: its stream only sends the
    /// last event.
    ///
    /// The outputs are those of the newest version. If that is not released yet, the snapshot is rendered now, before the
    /// next turn changes them, and sent later.
    func appendSnapshot(_ session: Session, to buffer: inout [UInt8]) {
        cursor = session.version
        guard session.endReason == nil else { return }
        if let outputs = session.largeOutputs(only: filter) {
            let text = session.largeText(outputs) {
                ChangeEvent.snapshot.appendHead(session.position(cursor, for: filter), to: &$0)
            } to: {
                ChangeEvent.appendEnd(to: &$0)
            }
            guard isReleased(session) else { return hold(.text(text), of: session) }
            return read(text)
        }
        guard isReleased(session) else {
            var bytes: [UInt8] = []
            appendSmallSnapshot(session, to: &bytes)
            return hold(.bytes(bytes), of: session)
        }
        appendSmallSnapshot(session, to: &buffer)
    }

    private func appendSmallSnapshot(_ session: Session, to buffer: inout [UInt8]) {
        ChangeEvent.snapshot.appendHead(session.position(cursor, for: filter), to: &buffer)
        session.appendOutputs(only: filter, to: &buffer)
        ChangeEvent.appendEnd(to: &buffer)
    }

    private func isReleased(_ session: Session) -> Bool { session.version <= session.releasedVersion }

    private func hold(_ content: HeldSnapshot.Content, of session: Session) {
        assert(held == nil, "expected to send a snapshot before the next one")
        held = HeldSnapshot(version: session.version, content: content)
    }

    /// Appends the held snapshot if its version has been released.
    func appendHeldSnapshot(of session: Session, to buffer: inout [UInt8]) {
        guard let held, held.version <= session.releasedVersion else { return }
        self.held = nil
        switch held.content {
        case .bytes(let bytes): buffer.append(contentsOf: bytes)
        case .text(let text): read(text)
        }
    }

    /// Appends the event that states the resumed version and the number of changes that follow.
    func appendResume(_ session: Session, to buffer: inout [UInt8]) {
        assert(
            cursor <= session.releasedVersion,
            "expected a version up to \(session.releasedVersion), got \(cursor)")
        ChangeEvent.resume.appendHead(session.position(cursor, for: filter), to: &buffer)
        buffer.append("{\"from\":")
        JSONWriter.append(cursor, to: &buffer)
        buffer.append(",\"missed\":")
        JSONWriter.append(missedCount(session), to: &buffer)
        buffer.append("}")
        ChangeEvent.appendEnd(to: &buffer)
    }

    /// The number of changes after the cursor that pass the filter.
    private func missedCount(_ session: Session) -> UInt64 {
        guard let filter else { return session.releasedVersion - cursor }
        var (missed, place): (UInt64, UInt64) = (0, cursor)
        while place < session.releasedVersion {
            if let change = session.history.largeChange(of: place + 1) {
                place += 1
                if change.text(passing: filter, at: session.position(place, for: filter)) != nil { missed += 1 }
                continue
            }
            var event: [UInt8] = []
            place = session.history.copy(after: place, limit: 1, into: &event)
            var passing: [UInt8] = []
            if filter.append(ChangeEvent.data(of: event), of: event, to: &passing) { missed += 1 }
        }
        return missed
    }

    private func appendFiltered(
        _ event: [UInt8], _ filter: OutputFilter, at position: StreamPosition, to buffer: inout [UInt8]
    ) {
        let start = buffer.count
        ChangeEvent.change.appendHead(position, in: ChangeEvent.traceparent(of: event), to: &buffer)
        if filter.append(ChangeEvent.data(of: event), of: event, to: &buffer) {
            ChangeEvent.appendEnd(to: &buffer)
        } else {
            buffer.removeLast(buffer.count - start)
        }
    }
}

extension EndReason {
    /// Appends the last event of a stream, with the reason and, if reconnecting is useful, the time after which to do so.
    func appendEvent(_ configuration: HostConfiguration, to buffer: inout [UInt8]) {
        appendEvent(retry: permitsReconnection ? configuration.jitteredRetry : nil, to: &buffer)
    }

    /// Appends the last event of a stream.
    ///
    /// - Parameter milliseconds: The time after which the client reconnects; nil if it must not.
    func appendEvent(retry milliseconds: UInt64?, to buffer: inout [UInt8]) {
        if let milliseconds {
            buffer.append("retry: ")
            JSONWriter.append(milliseconds, to: &buffer)
            buffer.append("\n")
        }
        buffer.append("event: end\ndata: ")
        appendData(to: &buffer)
        ChangeEvent.appendEnd(to: &buffer)
    }
}

extension EndReason {
    /// Appends the last event of a part of a combined stream, for ``EventRewriter``: a session that has not ended keeps its position.
    func appendMemberEvent(to buffer: inout [UInt8]) {
        switch self {
        case .busy: buffer.append("event: busy\ndata: ")
        case .unauthorized: buffer.append("event: unauthorized\ndata: ")
        default: buffer.append("event: end\ndata: ")
        }
        appendData(to: &buffer)
        ChangeEvent.appendEnd(to: &buffer)
    }
}

extension HostConfiguration {
    /// The reconnection time in milliseconds: half to one and a half times the configured time, so that clients that
    /// are disconnected together do not reconnect together.
    fileprivate var jitteredRetry: UInt64 {
        let milliseconds = max(2, retry.wholeMilliseconds)
        return UInt64.random(in: UInt64(milliseconds / 2)...UInt64(milliseconds + milliseconds / 2))
    }
}

/// A snapshot that waits until its version is released.
// A class, because hardly any stream holds one.
final class HeldSnapshot {
    enum Content {
        case bytes([UInt8])
        case text(SharedText)
    }

    let version: UInt64
    let content: Content

    init(version: UInt64, content: Content) {
        (self.version, self.content) = (version, content)
    }
}
