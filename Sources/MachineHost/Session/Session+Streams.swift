import HTTPModel

extension Session {
    /// A stream begins to be read.
    func attach(_ stream: SessionStream) {
        if let endReason { return stream.end(endReason) }
        streams.append(stream)
        if shard.isDraining { stream.end(.draining) }
        lastActivity = shard.tick
        shard.watch(self)
    }

    /// A stream is not read any more.
    func detach(_ stream: SessionStream) {
        guard let place = streams.firstIndex(where: { $0 === stream }) else { return }
        streams.swapAt(place, streams.count - 1)
        streams.removeLast()
        guard endReason == nil else {
            // Nobody reads any more what there was.
            if streams.isEmpty { history.removeAll() }
            return noteRetainedBytes()
        }
        lastActivity = shard.tick
        shard.watch(self)
    }

    /// Appends the outputs that have a value, as a JSON object.
    func appendOutputs(only filter: OutputFilter?, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        var isEmpty = true
        for cell in board?.cells ?? [] where shows(cell, filter) {
            if !isEmpty { bytes.append(UInt8(ascii: ",")) }
            isEmpty = false
            bytes.append(contentsOf: machineKind.outputKeys[cell.index])
            bytes.append(contentsOf: cell.shown)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Whether a snapshot has the output in it.
    func shows(_ cell: OutputCell, _ filter: OutputFilter?) -> Bool {
        !cell.shown.isEmpty && machineKind.definition.outputs[cell.index].kind == .value
            && filter.map { $0.indices.contains(cell.index) } ?? true
    }
}

// What is due with time.
extension Session {
    /// When something has to be done if nothing happens before.
    func nextDeadline(_ times: DeadlineTimes) -> Tick {
        guard !streams.isEmpty else { return lastActivity + times.idleExpiry + 1 }
        return streams.reduce(Tick.max) { min($0, $1.lastSent + times.keepAlive, $1.endsAt) }
    }

    /// Does what is due: comments on quiet streams, the end of old ones. True if the session itself is to end.
    func performDue(now: Tick, _ times: DeadlineTimes) -> Bool {
        guard !streams.isEmpty else { return now >= lastActivity + times.idleExpiry + 1 }
        for stream in streams {
            if now >= stream.endsAt { stream.end(.rotated) }
            if now >= stream.lastSent + times.keepAlive { stream.sendComment(now: now) }
        }
        return false
    }
}

/// The configured times in seconds.
struct DeadlineTimes {
    let idleExpiry: Tick
    let keepAlive: Tick

    init(_ configuration: HostConfiguration) {
        idleExpiry = configuration.idleExpiry.ticks
        keepAlive = configuration.keepAlive.ticks
    }
}
