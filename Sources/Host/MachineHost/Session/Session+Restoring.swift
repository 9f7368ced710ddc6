import HTTPModel
import Log
import StateCapture

extension Session {
    /// Continues a stored session: its version, outputs, recent changes and remembered requests are those that clients
    /// know. The machine has been wired from its stored states.
    func restore(_ board: OutputBoard, from stored: StoredSession) throws {
        context.loop.assertCurrent()
        if let damaged = storage?.registry.damagedMembers, !damaged.isEmpty { throw UnreadableSession.members(damaged) }
        _ = try board.takeEmissions()
        for cell in board.cells {
            cell.isMarked = false
            let name = machineKind.definition.outputs[cell.index].name
            guard let json = stored.shown[name] else { continue }
            board.show(json, of: cell, in: self)
        }
        restoreHistory(stored)
        restoreKeys(stored)
        if let registry = storage?.registry { reportDropped(registry.mismatches + registry.resume()) }
    }

    /// Shows the outputs and the history that clients know of a stored session, without its machine.
    func show(_ stored: StoredSession) {
        context.loop.assertCurrent()
        let board = OutputBoard(context: context)
        for (index, output) in machineKind.definition.outputs.enumerated() {
            let cell = OutputCell(index: index)
            board.add(cell)
            if let json = stored.shown[output.name] { board.show(json, of: cell, in: self) }
        }
        state = .asleep(board)
        restoreHistory(stored)
    }

    /// Logs the stored states that belong to no part of this build, or do not fit.
    private func reportDropped(_ keys: [String]) {
        guard !keys.isEmpty else { return }
        context.log.limited(
            .warning, "stored states were dropped, because the machine has changed",
            [
                "session": .text(id.hash), "machine": .text(machineKind.definition.name),
                "states": .text(keys.joined(separator: ", ")),
            ])
    }

    private func restoreHistory(_ stored: StoredSession) {
        history = History(beginningAfter: stored.version - UInt64(stored.changes.count))
        for change in stored.changes {
            var event: [UInt8] = []
            ChangeEvent.change.appendHead(
                StreamPosition(epoch: epoch, version: change.version), in: change.traceparent, to: &event)
            event.append(contentsOf: change.data)
            ChangeEvent.appendEnd(to: &event)
            history.append(event, limits: turns.historyLimits)
        }
        assert(version == stored.version, "expected the history to end with version \(stored.version), got \(version)")
        releasedVersion = history.newest
    }

    private func restoreKeys(_ stored: StoredSession) {
        guard !stored.keyed.isEmpty else { return }
        let window = IdempotencyWindow()
        let now = clock.storedMilliseconds
        for request in stored.keyed {
            let age = Duration.milliseconds(max(0, now - request.time))
            window.restore(
                request.key, request: request.request, response: Array(request.response), age: age,
                now: context.loop.now, limits: shard.idempotencyLimits)
        }
        idempotency = window
    }
}

extension StoredSession {
    /// Describes a new session.
    ///
    /// - Parameter events: The effects that its machine has started.
    init(_ session: Session, states: [UInt8], effects events: [EffectEvent], now: Int64) {
        self.init(
            machine: session.machineKind.definition.name,
            epoch: session.epoch.moved(by: session.host.generation), created: session.created.seconds,
            lastInput: now, version: session.version)
        let generation = session.host.generation.number
        // Any other one, if it was another one.
        firstGeneration = session.isInFirstEpoch ? generation : generation ^ 1
        for cell in session.board?.cells ?? [] where !cell.shown.isEmpty {
            shown[session.machineKind.definition.outputs[cell.index].name] = cell.shown[...]
        }
        changes = session.history.changes()
        assert(
            changes.last.map { $0.version == version } ?? true, "expected the changes to end with version \(version)")
        effects.apply(events)
        let time = session.context.loop.now
        keyed = session.idempotency?.stored(now: now, at: time, session.shard.idempotencyLimits) ?? []
        for (key, json) in StateChanges(states[...]) { self.states[key] = json }
        stateVersion = session.machineKind.definition.stateVersion
        shape = session.machineKind.definition.stateShape?.digest ?? shape
        build = session.host.configuration.build
        client = session.client?.stored
        ownership = session.ownership
        parameters = session.context.creation?.parameters
        named = session.context.creation?.name.map { Named(name: $0, id: session.id) }
    }
}
