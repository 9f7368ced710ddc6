import HTTPModel
import Log

// How long turns take, and how many follow each other.
extension SessionShard {
    /// How many blocks of a session may wait, for each turn that may follow another. A machine whose turns each schedule
    /// two more would otherwise take all memory long before it has taken too many turns in a row.
    private static let blocksPerTurnInARow = 16
    /// How long the blocks of one session may run in a round, unless a single one takes longer.
    private static let timeInRound: UInt64 = 5_000_000

    /// The most blocks of a session that may wait.
    var blocksWaiting: Int {
        let (count, isBeyond) = host.configuration.turnsInARow.multipliedReportingOverflow(
            by: SessionShard.blocksPerTurnInARow)
        return isBeyond ? .max : count
    }

    /// Whether blocks may go on to run in this round.
    var hasTimeInRound: Bool {
        turnWatch.lastEnd.nanoseconds <= loop.now.nanoseconds + SessionShard.timeInRound
    }

    /// Logs a turn that has taken too long.
    func turnEnded(of machine: RegisteredMachine) {
        guard let duration = turnWatch.turnEnded(at: loop.currentTime, round: loop.now),
            let unreported = turnWatch.report(on: machine, now: tick)
        else { return }
        host.log(
            .warning, "slow turn",
            [
                "machine": .text(machine.definition.name), "input": .text((currentTurn?.cause ?? .scheduled).text),
                "milliseconds": .number(Int(duration.wholeNanoseconds / 1_000_000)),
                "unreported": .number(unreported),
            ])
    }

    /// Ends a session whose turns go on to cause further turns.
    func failForRestlessness(_ session: Session) {
        _ = fail(session, RestlessMachine(turnsInARow: host.configuration.turnsInARow))
    }
}

/// A machine whose turns cause further turns without end.
private struct RestlessMachine: LoggableError, CustomStringConvertible {
    let turnsInARow: Int

    var description: String {
        "its turns cause further turns without rest, more than \(turnsInARow) in a row (sessions.turnsInARow)"
    }
}
