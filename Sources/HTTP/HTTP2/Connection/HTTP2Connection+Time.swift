public import HTTPModel

// Deadlines. The owner keeps the clock.
extension HTTP2Connection {
    /// The interval at which closed windows are checked while there are streams.
    private static let sweepInterval = Duration.seconds(5)
    /// How long a connection has to be without streams before it releases memory.
    private static let restDelay = Duration.seconds(1)
    /// The number of bytes that a client must accept within the stall timeout in order not to count as stalled.
    private static let smallestProgress = 1024

    /// The time at which ``timePassed(now:)`` has to be called, or `nil` for never. Any other call may change it.
    public var deadline: MonotonicTime? {
        guard ending == nil else { return nil }
        let headDeadline = meter.blockStart.map { $0 + limits.headTimeout }
        let ends = MonotonicTime.earliest(lifetime.deadline, restDeadline)
        let requests = MonotonicTime.earliest(nextBodyDeadline, headDeadline)
        return .earliest(.earliest(ends, requests), nextSweep)
    }

    private var restDeadline: MonotonicTime? {
        isAtRest ? nil : lifetime.idleSince.map { $0 + HTTP2Connection.restDelay }
    }

    /// Ends requests and connections that have taken too long. Calling it too early is harmless. Afterwards there may
    /// be events and output.
    public func timePassed(now: MonotonicTime) {
        time = now
        guard ending == nil else { return }
        resets.refill(now: now)
        if let start = meter.blockStart, start + limits.headTimeout <= now { return end(.headTimeout) }
        switch lifetime.timePassed(now: now) {
        case .nothing: break
        case .announce: session.submitDrainNotice()
        case .conclude: session.submitLastStream()
        case .timeOut: return end(.handshakeTimeout)
        }
        if let restDeadline, restDeadline <= now {
            isAtRest = true
            rest()
        }
        if let nextBodyDeadline, nextBodyDeadline <= now { checkBodies() }
        if let nextSweep, nextSweep <= now {
            self.nextSweep = streams.isEmpty ? nil : now + HTTP2Connection.sweepInterval
            sweep()
        }
        stopAbandoned()
    }

    /// Asks the client to open no more streams. When it has received the notice, the last accepted stream is announced
    /// (RFC 9113 §6.8). When the streams have ended, the connection is finished.
    public func drain(now: MonotonicTime) {
        time = now
        if ending == nil, lifetime.drain(now: now) { session.submitDrainNotice() }
    }

    /// Updates the deadlines after streams may have been opened or closed.
    func streamsChanged() {
        lifetime.streamsChanged(count: streams.count, now: time)
        if streams.isEmpty {
            nextSweep = nil
            nextBodyDeadline = nil
        } else if nextSweep == nil {
            nextSweep = time + HTTP2Connection.sweepInterval
        }
    }

    /// Releases the memory of streams and content.
    private func rest() {
        // Assigning a new collection frees the old buffer, which `removeAll` would keep.
        if streams.isEmpty { streams = [:] }
        if events.isEmpty { events = [] }
        if ready.isEmpty { ready = [] }
        session.rest()
    }

    private func sweep() {
        var answering = false
        for stream in streams.values {
            switch stream.stage {
            case .responding:
                answering = true
                checkWindow(of: stream)
                rest(stream)
            case .receiving, .requested, .dropped: break
            }
        }
        checkConnectionWindow(answering: answering)
    }

    /// Has the library release what it keeps for the content of a stream that waits.
    private func rest(_ stream: HTTP2Stream) {
        guard stream.isDeferred, !stream.isQueued, !stream.rests, stream.body != nil else { return }
        stream.rests = true
        // It then asks for content once more.
        stream.isDeferred = false
        session.resume(stream.id)
    }

    /// Starts the deadline of a body whose head is complete.
    func bodyBegins(_ incoming: IncomingRequest) {
        incoming.bodyStart = time
        let deadline = time + limits.bodyTimeout
        nextBodyDeadline = nextBodyDeadline.map { min($0, deadline) } ?? deadline
    }

    /// Refuses requests whose bodies are overdue. Bytes that have arrived since extend the deadline of the others.
    private func checkBodies() {
        var next: MonotonicTime?
        for stream in streams.values {
            guard let incoming = stream.incoming, let start = incoming.bodyStart else { continue }
            let deadline = start + limits.bodyTimeout + timeEarned(by: incoming.body.count)
            if deadline <= time {
                refuse(stream, .bodyTimeout)
            } else {
                next = next.map { min($0, deadline) } ?? deadline
            }
        }
        nextBodyDeadline = next
    }

    /// Returns one second for each ``HTTP2Limits/bodyRate`` bytes.
    private func timeEarned(by count: Int) -> Duration {
        let (seconds, rest) = count.quotientAndRemainder(dividingBy: max(1, limits.bodyRate))
        let nanoseconds = Double(rest) * 1e9 / Double(max(1, limits.bodyRate))
        return .seconds(seconds) + .nanoseconds(Int64(nanoseconds))
    }

    private func checkWindow(of stream: HTTP2Stream) {
        guard session.window(of: stream.id) <= 0 else {
            stream.stall = nil
            return
        }
        guard let stall = stream.stall, stream.sentCount - stall.sentCount < HTTP2Connection.smallestProgress else {
            stream.stall = HTTP2Stream.Stall(since: time, sentCount: stream.sentCount)
            return
        }
        guard stall.since + limits.stallTimeout <= time else { return }
        let isUnfinished = stream.body != nil || stream.offset < stream.bytes.count
        reset(stream, .cancel)
        if isUnfinished { events.append(.reset(HTTP2StreamID(rawValue: stream.id), .cancel)) }
    }

    private func checkConnectionWindow(answering: Bool) {
        guard answering, session.window <= 0 else {
            windowStall = nil
            return
        }
        guard let since = windowStall else {
            windowStall = time
            return
        }
        if since + limits.stallTimeout <= time { end(.stalled) }
    }
}
