import Telemetry

/// The metrics of one loop for the sessions of a machine.
final class MachineMeter {
    let sessions: Gauge
    let created: Counter
    let deleted: Counter
    let expired: Counter
    let failed: Counter
    let inputs: Counter
    let changes: Counter
    /// The values of topics that the sessions have published and received.
    let published: Counter
    let received: Counter
    /// The values of topics that were lost, by the reason.
    let conflated: Counter
    let dropped: Counter
    let mismatched: Counter
    private let turns: Histogram
    private let cells: MetricCells
    /// Whether turns are measured: somebody reads the metrics.
    private let measuresTurns: Bool

    init(_ machine: String, in cells: MetricCells) {
        sessions = cells.gauge(.sessions, machine)
        created = cells.counter(.sessionsCreated, machine)
        deleted = cells.counter(.sessionsEnded, machine, EndReason.deleted.name)
        expired = cells.counter(.sessionsEnded, machine, EndReason.expired.name)
        failed = cells.counter(.sessionsEnded, machine, EndReason.failed(incident: "").name)
        inputs = cells.counter(.inputs, machine)
        changes = cells.counter(.changes, machine)
        published = cells.counter(.topicValuesPublished, machine)
        received = cells.counter(.topicValuesReceived, machine)
        conflated = cells.counter(.topicValuesLost, machine, "conflated")
        dropped = cells.counter(.topicValuesLost, machine, "dropped")
        mismatched = cells.counter(.topicValuesLost, machine, "mismatched")
        turns = cells.histogram(.turns, machine)
        self.cells = cells
        measuresTurns = cells.areRead
    }

    /// The time at which a turn begins, for ``turnEnded(since:)``.
    var turnStart: UInt64 { measuresTurns ? cells.now : 0 }

    /// Counts a turn. Returns its duration in nanoseconds; nil if turns are not measured.
    func turnEnded(since start: UInt64) -> UInt64? {
        guard measuresTurns else { return nil }
        let nanoseconds = cells.now &- start
        turns.record(nanoseconds: nanoseconds)
        return nanoseconds
    }

    /// Counts the end of a session. A session that continues in another process has not ended.
    func ended(_ reason: EndReason) {
        switch reason {
        case .deleted: deleted.add()
        case .expired: expired.add()
        case .failed: failed.add()
        case .draining, .rotated, .unknown, .unauthorized, .busy: break
        }
    }
}

/// The metrics of one loop.
struct ShardMeter {
    let cells: MetricCells
    let replays: Counter
    private let machines: [ObjectIdentifier: MachineMeter]

    init(_ catalogue: MachineCatalogue, in cells: MetricCells) {
        self.cells = cells
        replays = cells.counter(.replays)
        // All of them at the start, so that their series exist before the first session: an increase from nothing to one would
        // not be noticed.
        machines = Dictionary(
            uniqueKeysWithValues: catalogue.machines.map {
                (ObjectIdentifier($0), MachineMeter($0.definition.name, in: cells))
            })
    }

    subscript(machine: RegisteredMachine) -> MachineMeter {
        machines[ObjectIdentifier(machine)] ?? MachineMeter(machine.definition.name, in: cells)
    }
}
