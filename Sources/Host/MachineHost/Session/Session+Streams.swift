import HTTPModel

extension Session {
    /// Adds a stream that starts to be read.
    func attach(_ stream: SessionStream) {
        context.loop.assertCurrent()
        if let endReason {
            // An end that is not stored yet could be lost. The stream then ends with the others.
            guard isEndPending else { return stream.end(endReason) }
            return streams.append(stream)
        }
        streams.append(stream)
        assert(streams.count <= streamCount, "expected at most \(streamCount) streams to be read, got \(streams.count)")
        // The stream still receives its snapshot before it ends, so the client loses nothing when it reconnects
        // elsewhere.
        if shard.isDraining { stream.end(.draining) }
        lastActivity = shard.tick
        shard.scheduleCheck(of: self)
        context.declaredTopics?.streamsChanged()
    }

    /// Removes a stream that is no longer read.
    func detach(_ stream: SessionStream) {
        guard let place = streams.firstIndex(where: { $0 === stream }) else { return }
        streams.swapAt(place, streams.count - 1)
        streams.removeLast()
        guard endReason == nil else {
            // The last stream of an ended session has been read completely, so the history is no longer needed.
            if streams.isEmpty { history.removeAll() }
            return noteRetainedBytes()
        }
        lastActivity = shard.tick
        shard.scheduleCheck(of: self)
        context.declaredTopics?.streamsChanged()
    }

    /// Appends the current outputs as a JSON object.
    func appendOutputs(only filter: OutputFilter?, to bytes: inout [UInt8]) {
        context.loop.assertCurrent()
        bytes.append(UInt8(ascii: "{"))
        if let board {
            var isEmpty = true
            // By index, because a loop over the cells retains all of them.
            for index in board.cells.indices
            where !board.cells[index].shown.isEmpty && shows(outputAt: index, filter) {
                if !isEmpty { bytes.append(UInt8(ascii: ",")) }
                isEmpty = false
                machineKind.appendKey(ofOutput: index, to: &bytes)
                bytes.append(copyOf: board.cells[index].shown)
            }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Returns whether a snapshot contains an output with a value.
    func shows(outputAt index: Int, _ filter: OutputFilter?) -> Bool {
        machineKind.hasValue[index] && filter.map { $0.indices.contains(index) } ?? true
    }
}

// Deadlines.
extension Session {
    /// Returns the time of the next action that is due, unless an event occurs earlier.
    func nextDeadline(_ times: DeadlineTimes) -> Tick {
        min(nextExpiry(times), sleepsAt(after: times.hibernateAfter))
    }

    private func nextExpiry(_ times: DeadlineTimes) -> Tick {
        // Ticks are truncated, so one is added: a session must not expire early.
        guard !streams.isEmpty else { return lastActivity + times.idleExpiry + 1 }
        return streams.reduce(Tick.max) { min($0, $1.nextDeadline(times)) }
    }

    /// Returns the time at which the session goes to sleep, unless something keeps it awake.
    ///
    /// - Parameter after: The time for which a session stays in memory without use, in ticks; nil if sessions do not sleep.
    func sleepsAt(after: Tick?) -> Tick {
        guard mayHibernate, let after else { return .max }
        return max(lastActivity + after + 1, nextSleepCheck)
    }

    /// Performs the due actions: sends comments on silent streams and ends old ones. Returns whether the session itself
    /// has expired.
    func performDue(now: Tick, _ times: DeadlineTimes) -> Bool {
        context.loop.assertCurrent()
        guard !streams.isEmpty else { return now >= lastActivity + times.idleExpiry + 1 }
        for stream in streams { stream.performDue(now: now, times) }
        return false
    }
}

/// The configured times, in ticks.
struct DeadlineTimes {
    let idleExpiry: Tick
    let keepAlive: Tick
    /// Nil if no session sleeps.
    let hibernateAfter: Tick?

    init(_ configuration: HostConfiguration) {
        idleExpiry = configuration.idleExpiry.ticks
        keepAlive = configuration.keepAlive.ticks
        hibernateAfter = configuration.hibernateAfter?.ticks
    }
}
